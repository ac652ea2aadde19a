#include "kernels/reduce/block_reduction.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace pliant::kernels {
namespace {

/// Integers wrap: they are added and multiplied without a sign.
template <class T>
using Arithmetic = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                               std::type_identity<T>>::type;

template <class T>
struct Adding {
  static T identity() { return T{0}; }
  static T combine(T a, T b) {
    return static_cast<T>(static_cast<Arithmetic<T>>(a) + static_cast<Arithmetic<T>>(b));
  }
};
template <class T>
struct Sum : Adding<T> {
  static T prepare(T x, T) { return x; }
};
template <class T>
struct SumOfAbsolutes : Adding<T> {
  static T prepare(T x, T) {
    if constexpr (std::is_integral_v<T>) {
      return x < T{0} ? static_cast<T>(Arithmetic<T>{0} - static_cast<Arithmetic<T>>(x)) : x;
    } else {
      return std::fabs(x);
    }
  }
};
template <class T>
struct SumOfSquares : Adding<T> {
  static T prepare(T x, T) {
    return static_cast<T>(static_cast<Arithmetic<T>>(x) * static_cast<Arithmetic<T>>(x));
  }
};
template <class T>
struct SumOfExponentials : Adding<T> {
  static T prepare(T x, T shift) {
    return static_cast<T>(std::exp(static_cast<double>(x - shift)));
  }
};
template <class T>
struct SumOfSquaredDeviations : Adding<T> {
  static T prepare(T x, T shift) {
    return SumOfSquares<T>::prepare(
        static_cast<T>(static_cast<Arithmetic<T>>(x) - static_cast<Arithmetic<T>>(shift)), T{});
  }
};
template <class T>
struct Product {
  static T identity() { return T{1}; }
  static T prepare(T x, T) { return x; }
  static T combine(T a, T b) {
    return static_cast<T>(static_cast<Arithmetic<T>>(a) * static_cast<Arithmetic<T>>(b));
  }
};
template <class T>
struct Maximum {
  static T identity() {
    return std::is_integral_v<T> ? std::numeric_limits<T>::lowest()
                                 : -std::numeric_limits<T>::infinity();
  }
  static T prepare(T x, T) { return x; }
  static T combine(T a, T b) { return a > b || a != a ? a : b; }
};
template <class T>
struct Minimum {
  static T identity() {
    return std::is_integral_v<T> ? std::numeric_limits<T>::max()
                                 : std::numeric_limits<T>::infinity();
  }
  static T prepare(T x, T) { return x; }
  static T combine(T a, T b) { return a < b || a != a ? a : b; }
};

template <class Reduction, class T>
T reduce_scalar_block(const T* block, std::int64_t count, T shift) {
  T lanes[kReductionLanes];
  for (T& lane : lanes) {
    lane = Reduction::identity();
  }
  for (std::int64_t k = 0; k < count; ++k) {
    T& lane = lanes[k % kReductionLanes];
    lane = Reduction::combine(lane, Reduction::prepare(block[k], shift));
  }
  for (std::int64_t half = kReductionLanes / 2; half > 0; half /= 2) {
    for (std::int64_t i = 0; i < half; ++i) {
      lanes[i] = Reduction::combine(lanes[i], lanes[i + half]);
    }
  }
  return lanes[0];
}

}  // namespace

template <class T>
ReduceBlock<T> scalar_reduce_block(BlockReduction reduction) {
  static constexpr ReduceBlock<T> kRows[] = {
#define BLOCK_REDUCTION(Name) &reduce_scalar_block<Name<T>, T>,
#include "kernels/reduce/block_reductions.inc"
  };
  return kRows[static_cast<int>(reduction)];
}
template ReduceBlock<float> scalar_reduce_block(BlockReduction);
template ReduceBlock<double> scalar_reduce_block(BlockReduction);
template ReduceBlock<std::int64_t> scalar_reduce_block(BlockReduction);
template ReduceBlock<std::uint64_t> scalar_reduce_block(BlockReduction);

ReduceBlock<float> find_reduce_block(BlockReduction reduction, CpuLevel level) {
#define REDUCTION_KERNELS(Level, space)    \
  if (level == CpuLevel::Level) {          \
    return space::reduce_block(reduction); \
  }
#include "kernels/reduce/kernels.inc"
  return portable::reduce_block(reduction);
}

ReduceColumns find_reduce_columns(BlockReduction reduction, CpuLevel level) {
#define REDUCTION_KERNELS(Level, space)      \
  if (level == CpuLevel::Level) {            \
    return space::reduce_columns(reduction); \
  }
#include "kernels/reduce/kernels.inc"
  return portable::reduce_columns(reduction);
}

}  // namespace pliant::kernels
