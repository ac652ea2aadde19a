#pragma once

#include <cstdint>

#include "base/check.h"

namespace pliant::kernels {

/// Calls `visit(Word{})` with the unsigned integer type of `element_size` bytes: moving elements
/// needs their size alone.
template <class Visitor>
decltype(auto) visit_word(std::int64_t element_size, Visitor&& visit) {
  switch (element_size) {
    case 1:
      return visit(std::uint8_t{});
    case 2:
      return visit(std::uint16_t{});
    case 4:
      return visit(std::uint32_t{});
    default:
      PLIANT_DCHECK(element_size == 8);
      return visit(std::uint64_t{});
  }
}

}  // namespace pliant::kernels
