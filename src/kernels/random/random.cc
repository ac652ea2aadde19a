#include "kernels/random/random.h"

#include <cmath>
#include <numbers>

#include "kernels/wide_element.h"

namespace pliant::kernels {
namespace {

constexpr std::int64_t kGrain = 4 << 10;
constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t bits_of(std::uint64_t stream, std::int64_t element) {
  return mixed(stream + (static_cast<std::uint64_t>(element) + 1) * kStep);
}

/// In [0, 1), as fine as the type allows.
template <class Real>
Real unit(std::uint64_t bits) {
  if constexpr (sizeof(Real) == 4) {
    return static_cast<float>(bits >> 40) * 0x1p-24f;
  } else {
    return static_cast<double>(bits >> 11) * 0x1p-53;
  }
}

template <class Real>
Real uniform(const RandomArguments& arguments, std::int64_t i) {
  const Real low = static_cast<Real>(arguments.first);
  const Real high = static_cast<Real>(arguments.second);
  const Real value = low + (high - low) * unit<Real>(bits_of(arguments.stream, i));
  // Rounding may reach the upper bound, which does not belong to the interval.
  return value < high || !(low < high) ? value : std::nextafter(high, low);
}

/// Elements 2p and 2p + 1 are the cosine and the sine of one pair.
template <class Real>
Real normal(const RandomArguments& arguments, std::int64_t i) {
  const std::int64_t even = i - i % 2;
  const Real radius_unit = Real{1} - unit<Real>(bits_of(arguments.stream, even));  // in (0, 1]
  const Real angle = 2 * std::numbers::pi_v<Real> * unit<Real>(bits_of(arguments.stream, even + 1));
  const Real radius = std::sqrt(-2 * std::log(radius_unit));
  const Real value = radius * (i == even ? std::cos(angle) : std::sin(angle));
  return static_cast<Real>(arguments.first) + static_cast<Real>(arguments.second) * value;
}

template <class Real>
Real element(const RandomArguments& arguments, std::int64_t i) {
  return arguments.distribution == Distribution::kUniform ? uniform<Real>(arguments, i)
                                                          : normal<Real>(arguments, i);
}

template <class T>
void write_elements(const RandomArguments& arguments, ParallelFor& parallel) {
  T* target = static_cast<T*>(arguments.target);
  parallel.run(arguments.count, kGrain, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      target[i] = narrow<T>(element<Widened<T>>(arguments, i));
    }
  });
}

}  // namespace

std::uint64_t random_stream(std::uint64_t seed, std::uint64_t run, std::uint64_t instruction) {
  return mixed(mixed(mixed(seed + kStep) + run + kStep) + instruction + kStep);
}

void random(const RandomArguments& arguments, const KernelContext& context) {
  if (arguments.dtype == DType::kF64) {
    write_elements<double>(arguments, context.parallel);
  } else if (arguments.dtype == DType::kF16) {
    write_elements<Half>(arguments, context.parallel);
  } else if (arguments.dtype == DType::kBF16) {
    write_elements<BFloat16>(arguments, context.parallel);
  } else {
    write_elements<float>(arguments, context.parallel);
  }
}

}  // namespace pliant::kernels
