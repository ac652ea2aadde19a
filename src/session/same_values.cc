#include "session/same_values.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <vector>

#include "tensor/dtype.h"
#include "tensor/element_values.h"

namespace pliant::session {
namespace {

// Every value of a type of at most 64 bits is one of a double's or an integer's: comparing those
// compares bits, but for the bits of NaNs, which are one value here.
std::vector<std::uint64_t> bits_of(const TensorView& view) {
  std::vector<std::uint64_t> bits;
  bits.reserve(static_cast<std::size_t>(view.element_count()));
  if (is_float(view.dtype)) {
    for_each_real(view, [&](double value) {
      bits.push_back(std::isnan(value) ? ~std::uint64_t{0} : std::bit_cast<std::uint64_t>(value));
    });
  } else {
    for_each_integer(
        view, [&](std::int64_t value) { bits.push_back(static_cast<std::uint64_t>(value)); });
  }
  return bits;
}

bool is_near(double actual, double expected) {
  if (std::isnan(actual) || std::isnan(expected)) {
    return std::isnan(actual) && std::isnan(expected);
  }
  return actual == expected || std::abs(actual - expected) <= 1e-4 + 1e-3 * std::abs(expected);
}

}  // namespace

std::string difference(const TensorView& actual, const TensorView& expected, Nearness nearness) {
  if (actual.dtype != expected.dtype || actual.shape != expected.shape) {
    return fmt::format("{}{} where {}{} was expected", name(actual.dtype), to_string(actual.shape),
                       name(expected.dtype), to_string(expected.shape));
  }
  const std::vector<std::uint64_t> a = bits_of(actual);
  const std::vector<std::uint64_t> b = bits_of(expected);
  const bool is_real = is_float(actual.dtype);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) {
      continue;
    }
    if (!is_real) {
      return fmt::format("element {} is {} where {} was expected", i,
                         static_cast<std::int64_t>(a[i]), static_cast<std::int64_t>(b[i]));
    }
    const auto x = std::bit_cast<double>(a[i]);
    const auto y = std::bit_cast<double>(b[i]);
    if (nearness == Nearness::kBits || !is_near(x, y)) {
      return fmt::format("element {} is {} where {} was expected", i, x, y);
    }
  }
  return {};
}

}  // namespace pliant::session
