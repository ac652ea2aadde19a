#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/opcode.h"
#include "semantics/inference_context.h"

namespace pliant::semantics {

/// Attributes of a window that slides over the spatial axes of a tensor [batch, channels, …]. An
/// empty list means that the instruction leaves it out.
struct WindowAttributes {
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  std::vector<std::int64_t> pads;  ///< begins, then ends
  isa::AutoPad auto_pad = isa::AutoPad::kExplicit;

  [[nodiscard]] std::int64_t stride(std::size_t axis) const {
    return strides.empty() ? 1 : strides[axis];
  }
  [[nodiscard]] std::int64_t dilation(std::size_t axis) const {
    return dilations.empty() ? 1 : dilations[axis];
  }
  /// Both pads of an axis as written; 0 with valid.
  [[nodiscard]] std::int64_t pad_begin(std::size_t axis) const;
  [[nodiscard]] std::int64_t pad_end(std::size_t axis) const;
};

/// Error unless every given list has an entry per spatial axis (pads two) and values in range.
Status check_window(const InferenceContext& context, const WindowAttributes& attributes,
                    std::size_t spatial_rank);

/// What a window of `window` elements covers, holes of the dilation included; an error when that
/// does not fit into 64 bits or the window is empty.
Result<Extent> window_span(const InferenceContext& context, Extent window, std::int64_t dilation);

/// Error unless x has `spatial_rank` axes besides batch and channels, or an unknown rank.
Status check_spatial_rank(const InferenceContext& context, const TensorFacts& x,
                          std::size_t spatial_rank);

/// Padding before the first element of an axis that `same_upper` and `same_lower` choose when the
/// padding of both sides is `total`: the odd one goes to the end or to the beginning.
[[nodiscard]] std::int64_t same_pad_begin(isa::AutoPad auto_pad, std::int64_t total);

}  // namespace pliant::semantics
