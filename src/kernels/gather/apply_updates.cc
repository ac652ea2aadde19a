#include "kernels/gather/apply_updates.h"

#include <type_traits>

#include "base/half.h"
#include "kernels/movement/element_word.h"

namespace pliant::kernels {
namespace {

template <class T>
void replace(void* elements, std::int64_t element_stride, const void* updates,
             std::int64_t update_stride, std::int64_t count) {
  T* element = static_cast<T*>(elements);
  const T* update = static_cast<const T*>(updates);
  for (std::int64_t i = 0; i < count; ++i) {
    element[i * element_stride] = update[i * update_stride];
  }
}

struct Add {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    } else {
      return a + b;
    }
  }
};
struct Multiply {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    } else {
      return a * b;
    }
  }
};
struct Maximum {
  template <class T>
  static T of(T a, T b) {
    return a > b || a != a ? a : b;
  }
};
struct Minimum {
  template <class T>
  static T of(T a, T b) {
    return a < b || a != a ? a : b;
  }
};

template <class Rule, class T>
T meet(T a, T b) {
  if constexpr (std::is_same_v<T, Half>) {
    return to_half(Rule::of(to_float(a), to_float(b)));
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return to_bfloat16(Rule::of(to_float(a), to_float(b)));
  } else if constexpr (std::is_same_v<T, bool>) {
    return Rule::of(static_cast<int>(a), static_cast<int>(b)) != 0;
  } else {
    return Rule::of(a, b);
  }
}

template <class T, class Rule>
void apply(void* elements, std::int64_t element_stride, const void* updates,
           std::int64_t update_stride, std::int64_t count) {
  T* element = static_cast<T*>(elements);
  const T* update = static_cast<const T*>(updates);
  if (element_stride == 1 && update_stride == 1) {
    for (std::int64_t i = 0; i < count; ++i) {
      element[i] = meet<Rule>(element[i], update[i]);
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    element[i * element_stride] =
        meet<Rule>(element[i * element_stride], update[i * update_stride]);
  }
}

}  // namespace

ApplyUpdates apply_updates(DType dtype, UpdateRule rule) {
  if (rule == UpdateRule::kReplace) {
    return visit_word(static_cast<std::int64_t>(byte_size(dtype)),
                      [](auto zero) -> ApplyUpdates { return replace<decltype(zero)>; });
  }
  return visit_dtype(dtype, [&](auto zero) {
    using T = decltype(zero);
    constexpr ApplyUpdates kRules[] = {nullptr, apply<T, Add>, apply<T, Multiply>,
                                       apply<T, Maximum>, apply<T, Minimum>};
    return kRules[static_cast<std::size_t>(rule)];
  });
}

}  // namespace pliant::kernels
