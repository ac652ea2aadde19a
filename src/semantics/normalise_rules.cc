#include <fmt/format.h>

#include "semantics/rules.h"

namespace pliant::semantics {
namespace {

/// `parameter` must broadcast to the last axes of x, from `first` on, without making them longer.
Status require_fits(InferenceContext& context, int parameter, const ExtentShape& x,
                    std::size_t first) {
  if (!context.given(parameter) || !context.tensor(parameter).rank_known) {
    return {};
  }
  const ExtentShape& shape = context.tensor(parameter).shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t from_end = shape.size() - i;
    const bool is_normalised = from_end <= x.size() - first;
    const Extent extent = is_normalised ? x[x.size() - from_end] : Extent(1);
    if (shape[i].is_number() && !shape[i].is(1) && extent.is_number() && !(shape[i] == extent)) {
      return context.error(
          fmt::format("{} of shape {} does not fit the normalised axes of {}",
                      context.row().operands[static_cast<std::size_t>(parameter)].field,
                      to_string(shape), to_string(x)));
    }
  }
  return {};
}

/// Each of the parameters is a vector with one element per channel, axis 1 of x.
Status require_per_channel(InferenceContext& context, std::initializer_list<int> parameters,
                           const ExtentShape& x) {
  if (x.size() < 2) {
    return context.error(
        fmt::format("x needs a batch and a channel axis, its shape is {}", to_string(x)));
  }
  for (const int parameter : parameters) {
    const TensorFacts& facts = context.tensor(parameter);
    if (!facts.rank_known) {
      continue;
    }
    const std::string field(context.row().operands[static_cast<std::size_t>(parameter)].field);
    if (facts.shape.size() != 1) {
      return context.error(
          fmt::format("{} must have one axis, its shape is {}", field, to_string(facts.shape)));
    }
    PLIANT_RETURN_IF_ERROR(
        context.require_equal(facts.shape[0], x[1], "extent of " + field, "axis 1 of x"));
  }
  return {};
}

}  // namespace

/// LAYER_NORM and RMS_NORM, whose first three operands are dst, x and scale.
Status infer_LayerNorm(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::LayerNorm::x);
  const bool is_layer_norm = context.instruction().opcode == isa::Opcode::kLayerNorm;
  const auto statistics = {static_cast<int>(isa::LayerNorm::mean),
                           static_cast<int>(isa::LayerNorm::inverse_deviation)};
  if (!x.rank_known) {
    context.set_unknown(isa::LayerNorm::dst);
    for (const int statistic : statistics) {
      if (is_layer_norm && context.given(statistic)) {
        context.set_unknown(statistic);
      }
    }
    return {};
  }
  const int axis_operand = isa::operand_index(context.row(), "axis");
  PLIANT_ASSIGN_OR_RETURN(const int axis,
                          context.normalise_axis(context.integer(axis_operand), x.shape.size()));
  const auto first = static_cast<std::size_t>(axis);
  PLIANT_RETURN_IF_ERROR(require_fits(context, isa::LayerNorm::scale, x.shape, first));
  PLIANT_RETURN_IF_ERROR(context.set(isa::LayerNorm::dst, x.shape));
  if (!is_layer_norm) {
    return {};
  }
  PLIANT_RETURN_IF_ERROR(require_fits(context, isa::LayerNorm::bias, x.shape, first));
  ExtentShape shape = x.shape;
  for (std::size_t i = first; i < shape.size(); ++i) {
    shape[i] = 1;
  }
  for (const int statistic : statistics) {
    if (context.given(statistic)) {
      PLIANT_RETURN_IF_ERROR(context.set(statistic, shape));
    }
  }
  return {};
}

Status infer_BatchNorm(InferenceContext& context) {
  using Row = isa::BatchNorm;
  const TensorFacts& x = context.tensor(Row::x);
  if (!x.rank_known) {
    context.set_unknown(Row::dst);
    return {};
  }
  PLIANT_RETURN_IF_ERROR(
      require_per_channel(context, {Row::scale, Row::bias, Row::mean, Row::variance}, x.shape));
  return context.set(Row::dst, x.shape);
}

Status infer_GroupNorm(InferenceContext& context) {
  using Row = isa::GroupNorm;
  const TensorFacts& x = context.tensor(Row::x);
  if (!x.rank_known) {
    context.set_unknown(Row::dst);
    return {};
  }
  PLIANT_RETURN_IF_ERROR(require_per_channel(context, {Row::scale, Row::bias}, x.shape));
  const std::int64_t groups = context.integer(Row::groups);
  const Extent channels = x.shape[1];
  if (groups < 0 || (groups > 0 && channels.is_number() && channels.number() % groups != 0)) {
    return context.error(
        fmt::format("{} channels cannot be divided into {} groups", to_string(channels), groups));
  }
  return context.set(Row::dst, x.shape);
}

}  // namespace pliant::semantics
