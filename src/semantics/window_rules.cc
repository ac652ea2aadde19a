#include "semantics/window_rules.h"

#include <fmt/format.h>

#include <limits>
#include <string_view>

namespace pliant::semantics {
namespace {

// Keeps sums and products of attributes and real extents far from the end of 64 bits.
constexpr std::int64_t kLargestAttribute = std::numeric_limits<std::int32_t>::max();

Status check_list(const InferenceContext& context, std::string_view what,
                  const std::vector<std::int64_t>& values, std::size_t count, std::int64_t lowest) {
  if (values.empty()) {
    return {};
  }
  if (values.size() != count) {
    return context.error(fmt::format("{} has {} values, expected {}", what, values.size(), count));
  }
  for (const std::int64_t value : values) {
    if (value < lowest || value > kLargestAttribute) {
      return context.error(
          fmt::format("{} must be in {}..{}, got {}", what, lowest, kLargestAttribute, value));
    }
  }
  return {};
}

}  // namespace

std::int64_t WindowAttributes::pad_begin(std::size_t axis) const {
  return pads.empty() || auto_pad != isa::AutoPad::kExplicit ? 0 : pads[axis];
}

std::int64_t WindowAttributes::pad_end(std::size_t axis) const {
  return pads.empty() || auto_pad != isa::AutoPad::kExplicit ? 0 : pads[pads.size() / 2 + axis];
}

Status check_window(const InferenceContext& context, const WindowAttributes& attributes,
                    std::size_t spatial_rank) {
  PLIANT_RETURN_IF_ERROR(check_list(context, "strides", attributes.strides, spatial_rank, 1));
  PLIANT_RETURN_IF_ERROR(check_list(context, "dilations", attributes.dilations, spatial_rank, 1));
  return check_list(context, "pads", attributes.pads, 2 * spatial_rank, 0);
}

Result<Extent> window_span(const InferenceContext& context, Extent window, std::int64_t dilation) {
  if (window.is_number() && window.number() < 1) {
    return context.error(
        fmt::format("a window extent must be at least 1, got {}", window.number()));
  }
  const Extent span = (window - Extent(1)) * Extent(dilation) + Extent(1);
  if (span.is_overflow()) {
    return context.error("the window does not fit into 64 bits");
  }
  return span;
}

Status check_spatial_rank(const InferenceContext& context, const TensorFacts& x,
                          std::size_t spatial_rank) {
  if (x.rank_known && x.shape.size() != spatial_rank + 2) {
    return context.error(
        fmt::format("x has rank {}, expected {}", x.shape.size(), spatial_rank + 2));
  }
  return {};
}

std::int64_t same_pad_begin(isa::AutoPad auto_pad, std::int64_t total) {
  return auto_pad == isa::AutoPad::kSameUpper ? total / 2 : total - total / 2;
}

}  // namespace pliant::semantics
