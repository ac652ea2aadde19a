#include "kernels/gather/apply_updates.h"

#include <type_traits>

#include "base/half.h"
#include "kernels/movement/element_word.h"
#include "kernels/wide_element.h"

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
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return narrow<T>(Rule::of(widen(a), widen(b)));
  } else if constexpr (std::is_same_v<T, bool>) {
    return Rule::of(static_cast<int>(a), static_cast<int>(b)) != 0;
  } else {
    return Rule::of(a, b);
  }
}

/// An update as a number of the type it meets.
template <class T, class Update>
T as(Update update) {
  if constexpr (std::is_same_v<T, Update>) {
    return update;
  } else {
    return widen(update);
  }
}

/// Updates meet elements of their own type or, if they are small floats, accumulators.
template <class T, class Update, class Rule>
void apply(void* elements, std::int64_t element_stride, const void* updates,
           std::int64_t update_stride, std::int64_t count) {
  T* element = static_cast<T*>(elements);
  const Update* update = static_cast<const Update*>(updates);
  if (element_stride == 1 && update_stride == 1) {
    for (std::int64_t i = 0; i < count; ++i) {
      element[i] = meet<Rule>(element[i], as<T>(update[i]));
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    element[i * element_stride] =
        meet<Rule>(element[i * element_stride], as<T>(update[i * update_stride]));
  }
}

template <class T>
void load(void* accumulators, std::int64_t accumulator_stride, const void* elements,
          std::int64_t element_stride, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    static_cast<float*>(accumulators)[i * accumulator_stride] =
        widen(static_cast<const T*>(elements)[i * element_stride]);
  }
}
template <class T>
void store(void* elements, std::int64_t element_stride, const void* accumulators,
           std::int64_t accumulator_stride, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    static_cast<T*>(elements)[i * element_stride] =
        narrow<T>(static_cast<const float*>(accumulators)[i * accumulator_stride]);
  }
}

/// Sums and products of small floats are rounded once, so they are collected in f32.
template <class T>
UpdateFunctions functions_for(UpdateRule rule) {
  constexpr ApplyUpdates kRules[] = {nullptr, apply<T, T, Add>, apply<T, T, Multiply>,
                                     apply<T, T, Maximum>, apply<T, T, Minimum>};
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    if (rule == UpdateRule::kAdd || rule == UpdateRule::kMultiply) {
      return {rule == UpdateRule::kAdd ? apply<float, T, Add> : apply<float, T, Multiply>, load<T>,
              store<T>};
    }
  }
  return {.meet = kRules[static_cast<std::size_t>(rule)]};
}

}  // namespace

UpdateFunctions update_functions(DType dtype, UpdateRule rule) {
  if (rule == UpdateRule::kReplace) {
    return {.meet = visit_word(static_cast<std::int64_t>(byte_size(dtype)),
                               [](auto zero) -> ApplyUpdates { return replace<decltype(zero)>; })};
  }
  return visit_dtype(dtype, [&](auto zero) { return functions_for<decltype(zero)>(rule); });
}

}  // namespace pliant::kernels
