#include <fmt/format.h>

#include <initializer_list>

#include "isa/opcode.h"
#include "semantics/rules.h"

namespace pliant::semantics {
namespace {

Status require_type(InferenceContext& context, DType dtype, std::string_view what,
                    std::initializer_list<DType> allowed) {
  std::string words;
  for (const DType candidate : allowed) {
    if (candidate == dtype) {
      return {};
    }
    words += words.empty() ? "" : ", ";
    words += name(candidate);
  }
  return context.error(fmt::format("{} must be one of {}, is {}", what, words, name(dtype)));
}

/// A parameter (scale or zero point) is one element, a vector along the axis, or has the shape of x
/// with the axis divided into blocks.
Status check_parameter(InferenceContext& context, int operand, std::string_view name,
                       const ExtentShape& x, std::int64_t axis_number, std::int64_t block) {
  if (!context.given(operand) || !context.tensor(operand).rank_known) {
    return {};
  }
  const ExtentShape& shape = context.tensor(operand).shape;
  if (block == 0) {
    bool one = true;
    for (const Extent& extent : shape) {
      one = one && extent.is(1);
    }
    if (one) {
      return {};
    }
    if (shape.size() != 1) {
      return context.error(
          fmt::format("{} must be one element or a vector, has shape {}", name, to_string(shape)));
    }
    if (!shape[0].is_number()) {
      return {};  // may turn out to be one element
    }
    PLIANT_ASSIGN_OR_RETURN(const int axis, context.normalise_axis(axis_number, x.size()));
    return context.require_equal(shape[0], x[static_cast<std::size_t>(axis)],
                                 fmt::format("{} axis 0", name), fmt::format("x axis {}", axis));
  }
  PLIANT_ASSIGN_OR_RETURN(const int axis, context.normalise_axis(axis_number, x.size()));
  if (shape.size() != x.size()) {
    return context.error(
        fmt::format("{} has rank {}, x has rank {}", name, shape.size(), x.size()));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool blocked = i == static_cast<std::size_t>(axis);
    const Extent expected = blocked ? ceil_divide(x[i], Extent(block)) : x[i];
    PLIANT_RETURN_IF_ERROR(context.require_equal(
        shape[i], expected, fmt::format("{} axis {}", name, i),
        blocked ? fmt::format("the number of blocks of {} in {}", block, to_string(x[i]))
                : fmt::format("x axis {}", i)));
  }
  return {};
}

/// Rank and extents of the zero point are those of scale.
Status check_same_shape(InferenceContext& context, int scale, int zero_point) {
  if (!context.given(zero_point) || !context.tensor(zero_point).rank_known ||
      !context.tensor(scale).rank_known) {
    return {};
  }
  const ExtentShape& a = context.tensor(scale).shape;
  const ExtentShape& b = context.tensor(zero_point).shape;
  if (a.size() != b.size()) {
    // A scalar and a vector of one element stand for the same.
    const bool both_one = (a.size() == 0 && b.size() == 1 && !(b[0].is_number() && !b[0].is(1))) ||
                          (b.size() == 0 && a.size() == 1 && !(a[0].is_number() && !a[0].is(1)));
    return both_one
               ? Status{}
               : Status(context.error(fmt::format("scale has shape {}, zero_point has shape {}",
                                                  to_string(a), to_string(b))));
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    PLIANT_RETURN_IF_ERROR(context.require_equal(a[i], b[i], fmt::format("scale axis {}", i),
                                                 fmt::format("zero_point axis {}", i)));
  }
  return {};
}

struct Parameters {
  int dst;
  int x;
  int scale;
  int zero_point;
  int axis;
  int block;
};

Status infer_with_parameters(InferenceContext& context, const Parameters& row) {
  const std::int64_t block = context.integer(row.block);
  if (block < 0) {
    return context.error(fmt::format("block must be >= 0, is {}", block));
  }
  PLIANT_RETURN_IF_ERROR(check_same_shape(context, row.scale, row.zero_point));
  if (!context.tensor(row.x).rank_known) {
    context.set_unknown(row.dst);
    return {};
  }
  const ExtentShape x = context.tensor(row.x).shape;
  PLIANT_RETURN_IF_ERROR(
      check_parameter(context, row.scale, "scale", x, context.integer(row.axis), block));
  PLIANT_RETURN_IF_ERROR(
      check_parameter(context, row.zero_point, "zero_point", x, context.integer(row.axis), block));
  return context.set(row.dst, x);
}

}  // namespace

Status infer_Quantize(InferenceContext& context) {
  using Row = isa::Quantize;
  const DType to = context.type(Row::to);
  PLIANT_RETURN_IF_ERROR(
      require_type(context, to, "the result", {DType::kU8, DType::kI8, DType::kU16, DType::kI16}));
  PLIANT_RETURN_IF_ERROR(require_type(context, context.tensor(Row::x).dtype, "x",
                                      {DType::kF32, DType::kF16, DType::kBF16, DType::kI32}));
  PLIANT_RETURN_IF_ERROR(require_type(context, context.tensor(Row::scale).dtype, "scale",
                                      {DType::kF32, DType::kF16, DType::kBF16, DType::kI32}));
  if (context.given(Row::zero_point)) {
    PLIANT_RETURN_IF_ERROR(
        require_type(context, context.tensor(Row::zero_point).dtype, "zero_point", {to}));
  }
  return infer_with_parameters(
      context, {Row::dst, Row::x, Row::scale, Row::zero_point, Row::axis, Row::block});
}

Status infer_Dequantize(InferenceContext& context) {
  using Row = isa::Dequantize;
  PLIANT_RETURN_IF_ERROR(
      require_type(context, context.tensor(Row::x).dtype, "x",
                   {DType::kU8, DType::kI8, DType::kU16, DType::kI16, DType::kI32}));
  PLIANT_RETURN_IF_ERROR(require_type(context, context.tensor(Row::scale).dtype, "scale",
                                      {DType::kF32, DType::kF16, DType::kBF16}));
  return infer_with_parameters(
      context, {Row::dst, Row::x, Row::scale, Row::zero_point, Row::axis, Row::block});
}

Status infer_DynamicQuantize(InferenceContext& context) {
  using Row = isa::DynamicQuantize;
  PLIANT_RETURN_IF_ERROR(context.set(Row::scale, {}));
  PLIANT_RETURN_IF_ERROR(context.set(Row::zero_point, {}));
  if (!context.tensor(Row::x).rank_known) {
    context.set_unknown(Row::dst);
    return {};
  }
  return context.set(Row::dst, context.tensor(Row::x).shape);
}

}  // namespace pliant::semantics
