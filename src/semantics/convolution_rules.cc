#include <fmt/format.h>

#include <array>

#include "semantics/rules.h"
#include "semantics/window_rules.h"

namespace pliant::semantics {
namespace {

/// What the convolution rows have in common once their operands have been looked up.
struct ConvolutionFacts {
  const TensorFacts& x;
  const TensorFacts& weights;
  const TensorFacts* bias;  // null when not given
  std::int64_t group;
  WindowAttributes window;
};

bool same_padding(isa::AutoPad auto_pad) {
  return auto_pad == isa::AutoPad::kSameUpper || auto_pad == isa::AutoPad::kSameLower;
}

Status check_group(const InferenceContext& context, std::int64_t group, Extent count,
                   std::string_view what) {
  if (group < 1) {
    return context.error(fmt::format("group must be at least 1, got {}", group));
  }
  if (count.is_number() && count.number() % group != 0) {
    return context.error(
        fmt::format("{} {} are not divisible by group {}", what, count.number(), group));
  }
  return {};
}

/// Extent of a result axis of a convolution over an axis of `extent` elements.
Result<Extent> window_positions(const InferenceContext& context, const WindowAttributes& window,
                                std::size_t axis, Extent extent, Extent window_extent) {
  PLIANT_ASSIGN_OR_RETURN(const Extent span,
                          window_span(context, window_extent, window.dilation(axis)));
  const Extent stride(window.stride(axis));
  if (same_padding(window.auto_pad)) {
    return ceil_divide(extent, stride);
  }
  const Extent padding = Extent(window.pad_begin(axis)) + Extent(window.pad_end(axis));
  const Extent positions = floor_divide(extent + padding - span, stride) + Extent(1);
  if (positions.is_number() && positions.number() < 0) {
    return context.error(
        fmt::format("spatial axis {} of x is {} with padding {}, the window covers {}", axis,
                    to_string(extent), to_string(padding), to_string(span)));
  }
  return positions;
}

Status infer_forward(InferenceContext& context, int dst, const ConvolutionFacts& facts,
                     std::size_t spatial_rank) {
  PLIANT_RETURN_IF_ERROR(check_spatial_rank(context, facts.x, spatial_rank));
  PLIANT_RETURN_IF_ERROR(check_window(context, facts.window, spatial_rank));
  if (facts.weights.rank_known && facts.weights.shape.size() != spatial_rank + 2) {
    return context.error(fmt::format("weights have rank {}, expected {}",
                                     facts.weights.shape.size(), spatial_rank + 2));
  }
  if (!facts.x.rank_known || !facts.weights.rank_known) {
    context.set_rank(dst, spatial_rank + 2);
    return {};
  }
  const ExtentShape& x = facts.x.shape;
  const ExtentShape& weights = facts.weights.shape;
  PLIANT_RETURN_IF_ERROR(check_group(context, facts.group, weights[0], "outputs"));
  PLIANT_RETURN_IF_ERROR(context.require_equal(x[1], weights[1] * Extent(facts.group), "x axis 1",
                                               "weights axis 1 times group"));
  if (facts.bias != nullptr && facts.bias->rank_known) {
    if (facts.bias->shape.size() != 1) {
      return context.error(fmt::format("bias has rank {}, expected 1", facts.bias->shape.size()));
    }
    PLIANT_RETURN_IF_ERROR(
        context.require_equal(facts.bias->shape[0], weights[0], "bias axis 0", "weights axis 0"));
  }
  ExtentShape result{x[0], weights[0]};
  for (std::size_t axis = 0; axis < spatial_rank; ++axis) {
    PLIANT_ASSIGN_OR_RETURN(
        const Extent positions,
        window_positions(context, facts.window, axis, x[axis + 2], weights[axis + 2]));
    result.push_back(positions);
  }
  return context.set(dst, result);
}

/// Spatial axes of x: known from x or the weights, else from the row's attributes.
std::size_t spatial_rank_of(const TensorFacts& x, const TensorFacts& weights) {
  const TensorFacts& known = x.rank_known ? x : weights;
  return known.rank_known && known.shape.size() >= 2 ? known.shape.size() - 2 : 0;
}

Status check_spatial_range(const InferenceContext& context, const TensorFacts& x) {
  if (x.rank_known && (x.shape.size() < 3 || x.shape.size() > 5)) {
    return context.error(fmt::format("x has rank {}, expected 3 to 5", x.shape.size()));
  }
  return {};
}

Status check_zero_point(InferenceContext& context, int operand, std::string_view name,
                        Extent outputs) {
  if (!context.given(operand) || !context.tensor(operand).rank_known) {
    return {};
  }
  const ExtentShape& shape = context.tensor(operand).shape;
  if (shape.size() > 1) {
    return context.error(fmt::format("{} has rank {}, expected 0 or 1", name, shape.size()));
  }
  if (shape.size() == 1 && !shape[0].is(1)) {
    return context.require_equal(shape[0], outputs, fmt::format("{} axis 0", name),
                                 "the extent it goes along");
  }
  return {};
}

/// What output_padding and output_shape have in common.
Status check_output_sizes(const InferenceContext& context, const std::vector<std::int64_t>& sizes,
                          std::size_t spatial_rank) {
  if (!sizes.empty() && sizes.size() != spatial_rank) {
    return context.error(fmt::format("output_padding or output_shape has {} values, expected {}",
                                     sizes.size(), spatial_rank));
  }
  for (const std::int64_t size : sizes) {
    if (size < 0 || size > (std::int64_t{1} << 31)) {
      return context.error(
          fmt::format("output_padding and output_shape must be in 0..2^31, got {}", size));
    }
  }
  return {};
}

}  // namespace

Status infer_Convolution(InferenceContext& context) {
  using Row = isa::Conv2d;
  constexpr std::array<isa::Opcode, 3> kBySpatialRank{isa::Opcode::kConv1d, isa::Opcode::kConv2d,
                                                      isa::Opcode::kConv3d};
  std::size_t spatial_rank = 1;
  while (kBySpatialRank[spatial_rank - 1] != context.instruction().opcode) {
    ++spatial_rank;
  }
  const ConvolutionFacts facts{
      context.tensor(Row::x),
      context.tensor(Row::weights),
      context.given(Row::bias) ? &context.tensor(Row::bias) : nullptr,
      context.integer(Row::group),
      {context.integers(Row::strides), context.integers(Row::dilations),
       context.integers(Row::pads), context.choice<isa::AutoPad>(Row::auto_pad)}};
  return infer_forward(context, Row::dst, facts, spatial_rank);
}

Status infer_ConvInteger(InferenceContext& context) {
  using Row = isa::ConvInteger;
  const ConvolutionFacts facts{
      context.tensor(Row::x),
      context.tensor(Row::weights),
      nullptr,
      context.integer(Row::group),
      {context.integers(Row::strides), context.integers(Row::dilations),
       context.integers(Row::pads), context.choice<isa::AutoPad>(Row::auto_pad)}};
  PLIANT_RETURN_IF_ERROR(check_spatial_range(context, facts.x));
  if (!facts.x.rank_known && !facts.weights.rank_known) {
    context.set_unknown(Row::dst);
    return {};
  }
  PLIANT_RETURN_IF_ERROR(check_zero_point(context, Row::x_zero_point, "x_zero_point", Extent(1)));
  if (facts.weights.rank_known && !facts.weights.shape.empty()) {
    PLIANT_RETURN_IF_ERROR(check_zero_point(context, Row::weights_zero_point, "weights_zero_point",
                                            facts.weights.shape[0]));
  }
  return infer_forward(context, Row::dst, facts, spatial_rank_of(facts.x, facts.weights));
}

Status infer_ConvTranspose(InferenceContext& context) {
  using Row = isa::ConvTranspose;
  const TensorFacts& x = context.tensor(Row::x);
  const TensorFacts& weights = context.tensor(Row::weights);
  PLIANT_RETURN_IF_ERROR(check_spatial_range(context, x));
  if (!x.rank_known && !weights.rank_known) {
    context.set_unknown(Row::dst);
    return {};
  }
  const std::size_t spatial_rank = spatial_rank_of(x, weights);
  const WindowAttributes window{context.integers(Row::strides), context.integers(Row::dilations),
                                context.integers(Row::pads),
                                context.choice<isa::AutoPad>(Row::auto_pad)};
  PLIANT_RETURN_IF_ERROR(check_window(context, window, spatial_rank));
  const std::vector<std::int64_t> output_padding = context.integers(Row::output_padding);
  const std::vector<std::int64_t> output_shape = context.integers(Row::output_shape);
  PLIANT_RETURN_IF_ERROR(check_output_sizes(context, output_padding, spatial_rank));
  PLIANT_RETURN_IF_ERROR(check_output_sizes(context, output_shape, spatial_rank));
  if (!x.rank_known || !weights.rank_known) {
    context.set_rank(Row::dst, spatial_rank + 2);
    return {};
  }
  if (weights.shape.size() != spatial_rank + 2) {
    return context.error(
        fmt::format("weights have rank {}, expected {}", weights.shape.size(), spatial_rank + 2));
  }
  const std::int64_t group = context.integer(Row::group);
  PLIANT_RETURN_IF_ERROR(check_group(context, group, x.shape[1], "channels"));
  PLIANT_RETURN_IF_ERROR(
      context.require_equal(x.shape[1], weights.shape[0], "x axis 1", "weights axis 0"));
  const Extent outputs = weights.shape[1] * Extent(group);
  if (context.given(Row::bias) && context.tensor(Row::bias).rank_known) {
    const ExtentShape& bias = context.tensor(Row::bias).shape;
    if (bias.size() != 1) {
      return context.error(fmt::format("bias has rank {}, expected 1", bias.size()));
    }
    PLIANT_RETURN_IF_ERROR(
        context.require_equal(bias[0], outputs, "bias axis 0", "weights axis 1 times group"));
  }
  ExtentShape result{x.shape[0], outputs};
  for (std::size_t axis = 0; axis < spatial_rank; ++axis) {
    const Extent extent = x.shape[axis + 2];
    PLIANT_ASSIGN_OR_RETURN(const Extent span,
                            window_span(context, weights.shape[axis + 2], window.dilation(axis)));
    const Extent stride(window.stride(axis));
    if (!output_shape.empty()) {
      result.push_back(Extent(output_shape[axis]));
    } else if (same_padding(window.auto_pad)) {
      result.push_back(extent * stride);
    } else {
      const Extent added(output_padding.empty() ? 0 : output_padding[axis]);
      result.push_back((extent - Extent(1)) * stride + added + span -
                       Extent(window.pad_begin(axis) + window.pad_end(axis)));
    }
  }
  return context.set(Row::dst, result);
}

}  // namespace pliant::semantics
