#include "kernels/creation/reference.h"

#include <cmath>
#include <cstring>
#include <type_traits>

#include "base/half.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

void write(void* target, std::int64_t i, const void* element, std::int64_t size) {
  std::memcpy(static_cast<std::byte*>(target) + i * size, element, static_cast<std::size_t>(size));
}

/// Exact for what can be an index; f64 rounds others, which stay outside of any depth.
template <class T>
double number(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return static_cast<double>(to_float(value));
  } else {
    return static_cast<double>(value);
  }
}

/// Integers by repeated addition, which wraps as multiplication does.
template <class T>
void fill_range(T start, T step, std::int64_t count, T* target) {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<T, Half>) {
      target[i] = to_half(to_float(start) + static_cast<float>(i) * to_float(step));
    } else if constexpr (std::is_same_v<T, BFloat16>) {
      target[i] = to_bfloat16(to_float(start) + static_cast<float>(i) * to_float(step));
    } else if constexpr (std::is_floating_point_v<T>) {
      target[i] = start + static_cast<T>(i) * step;
    } else {
      target[i] = static_cast<T>(static_cast<std::uint64_t>(start) + sum);
      sum += static_cast<std::uint64_t>(step);
    }
  }
}

}  // namespace

void run_reference(const StoreNumbersArguments& arguments) {
  for (std::size_t i = 0; i < arguments.numbers.size(); ++i) {
    arguments.target[i] = arguments.numbers[i];
  }
}

void run_reference(const FillArguments& arguments) {
  for (std::int64_t i = 0; i < arguments.count; ++i) {
    write(arguments.target, i, arguments.value, arguments.element_size);
  }
}

void run_reference(const RangeArguments& arguments) {
  visit_dtype(arguments.dtype, [&](auto zero) {
    using T = decltype(zero);
    fill_range(*static_cast<const T*>(arguments.start), *static_cast<const T*>(arguments.step),
               arguments.count, static_cast<T*>(arguments.target));
  });
}

void run_reference(const OneHotArguments& arguments) {
  const auto index = [&](std::int64_t i) {
    return visit_dtype(arguments.index_dtype, [&](auto zero) {
      return std::trunc(number(static_cast<const decltype(zero)*>(arguments.indices)[i]));
    });
  };
  for (std::int64_t o = 0; o < arguments.outer; ++o) {
    for (std::int64_t d = 0; d < arguments.depth; ++d) {
      for (std::int64_t i = 0; i < arguments.inner; ++i) {
        const double wanted = index(o * arguments.inner + i);
        const bool is_on =
            wanted == static_cast<double>(d) || wanted == static_cast<double>(d - arguments.depth);
        write(arguments.target, (o * arguments.depth + d) * arguments.inner + i,
              is_on ? arguments.on : arguments.off, arguments.element_size);
      }
    }
  }
}

}  // namespace pliant::kernels
