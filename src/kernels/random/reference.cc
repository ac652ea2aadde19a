#include "kernels/random/reference.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "kernels/wide_element.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

/// The generator as it was published: a counter, and a mix of its bits.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [0, 1): as many of the upper bits as the type has digits.
  template <class Real>
  Real unit() {
    constexpr int kDigits = std::numeric_limits<Real>::digits;
    return std::ldexp(static_cast<Real>(next() >> (64 - kDigits)), -kDigits);
  }

 private:
  std::uint64_t state_;
};

template <class T>
void write_elements(const RandomArguments& arguments) {
  using Real = Widened<T>;
  SplitMix64 numbers(arguments.stream);
  const Real first = static_cast<Real>(arguments.first);
  const Real second = static_cast<Real>(arguments.second);
  std::vector<Real> values;
  while (static_cast<std::int64_t>(values.size()) < arguments.count) {
    if (arguments.distribution == Distribution::kUniform) {
      const Real value = first + (second - first) * numbers.unit<Real>();
      values.push_back(value >= second && first < second ? std::nextafter(second, first) : value);
    } else {
      const Real radius = std::sqrt(-2 * std::log(1 - numbers.unit<Real>()));
      const Real angle = 2 * std::numbers::pi_v<Real> * numbers.unit<Real>();
      values.push_back(first + second * (radius * std::cos(angle)));
      values.push_back(first + second * (radius * std::sin(angle)));
    }
  }
  for (std::int64_t i = 0; i < arguments.count; ++i) {
    static_cast<T*>(arguments.target)[i] = narrow<T>(values[static_cast<std::size_t>(i)]);
  }
}

}  // namespace

void run_reference(const RandomArguments& arguments) {
  switch (arguments.dtype) {
    case DType::kF64:
      return write_elements<double>(arguments);
    case DType::kF16:
      return write_elements<Half>(arguments);
    case DType::kBF16:
      return write_elements<BFloat16>(arguments);
    default:
      return write_elements<float>(arguments);
  }
}

}  // namespace pliant::kernels
