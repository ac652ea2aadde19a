#include "support/bit_difference.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstring>

namespace pliant::testing {

std::string bit_difference(const std::vector<Tensor>& expected, const std::vector<Tensor>& actual) {
  if (expected.size() != actual.size()) {
    return fmt::format("{} outputs, expected {}", actual.size(), expected.size());
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Tensor& a = expected[i];
    const Tensor& b = actual[i];
    if (a.dtype() != b.dtype() || a.shape() != b.shape()) {
      return fmt::format("output {} has another type or shape", i);
    }
    if (a.byte_size() == 0 || std::memcmp(a.data(), b.data(), a.byte_size()) == 0) {
      continue;
    }
    const auto* const left = static_cast<const std::byte*>(a.data());
    const auto* const right = static_cast<const std::byte*>(b.data());
    std::size_t byte = 0;
    while (left[byte] == right[byte]) {
      ++byte;
    }
    return fmt::format("output {} differs at element {} of {}", i, byte / byte_size(a.dtype()),
                       a.element_count());
  }
  return {};
}

std::string bit_difference(const Result<std::vector<Tensor>>& expected,
                           const Result<std::vector<Tensor>>& actual) {
  if (expected && actual) {
    return bit_difference(*expected, *actual);
  }
  const std::string right = expected ? "success" : expected.error().to_string();
  const std::string found = actual ? "success" : actual.error().to_string();
  return right == found ? std::string() : fmt::format("{}, expected {}", found, right);
}

}  // namespace pliant::testing
