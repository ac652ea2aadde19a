#pragma once

#include <string>

#include "tensor/view.h"

namespace pliant::session {

/// How near two results have to be.
enum class Nearness : std::uint8_t {
  kBits,     ///< the same bits
  kRounded,  ///< reals within 1e-4 + 1e-3 * |expected|, anything else the same bits
};

/// The first difference between two tensors in words, or nothing. Strides do not matter.
[[nodiscard]] std::string difference(const TensorView& actual, const TensorView& expected,
                                     Nearness nearness);

}  // namespace pliant::session
