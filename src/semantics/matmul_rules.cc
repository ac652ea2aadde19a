#include <fmt/format.h>

#include "isa/opcode.h"
#include "semantics/rules.h"

namespace pliant::semantics {
namespace {

/// What the last axes of an operand mean: [k] or [rows, columns], after transposing.
struct Factor {
  ExtentShape batch;
  Extent outer;  ///< m of lhs, n of rhs; 1 for a vector
  Extent inner;  ///< k
  bool is_vector = false;
  std::string inner_name;  ///< "lhs axis 1"
};

Result<Factor> factor(InferenceContext& context, int operand, std::string_view name,
                      std::size_t inner_from_end, bool transposed) {
  const ExtentShape& shape = context.tensor(operand).shape;
  const std::size_t rank = shape.size();
  if (rank == 0) {
    return context.error(fmt::format("{} must have rank 1 or more, has rank 0", name));
  }
  Factor result;
  if (rank == 1) {
    if (transposed) {
      return context.error(
          fmt::format("{} is transposed and must have rank 2 or more, has rank 1", name));
    }
    result.outer = Extent(1);
    result.inner = shape[0];
    result.is_vector = true;
    result.inner_name = fmt::format("{} axis 0", name);
    return result;
  }
  const std::size_t from_end = transposed ? 3 - inner_from_end : inner_from_end;
  for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
    result.batch.push_back(shape[axis]);
  }
  result.inner = shape[rank - from_end];
  result.outer = shape[rank - (3 - from_end)];
  result.inner_name = fmt::format("{} axis {}", name, rank - from_end);
  return result;
}

/// Shape of the product; `lhs` and `rhs` have known ranks.
Result<ExtentShape> product_shape(InferenceContext& context, const Factor& lhs, const Factor& rhs) {
  PLIANT_RETURN_IF_ERROR(
      context.require_equal(lhs.inner, rhs.inner, lhs.inner_name, rhs.inner_name));
  PLIANT_ASSIGN_OR_RETURN(ExtentShape shape, context.broadcast_shapes(lhs.batch, rhs.batch));
  if (!lhs.is_vector) {
    shape.push_back(lhs.outer);
  }
  if (!rhs.is_vector) {
    shape.push_back(rhs.outer);
  }
  return shape;
}

/// A zero point is one element, or a vector with one for each row or column.
Status check_zero_point(InferenceContext& context, int operand, std::string_view name, Extent count,
                        std::string_view counted) {
  if (!context.given(operand) || !context.tensor(operand).rank_known) {
    return {};
  }
  const ExtentShape& shape = context.tensor(operand).shape;
  bool one = true;
  bool known = true;
  for (const Extent& extent : shape) {
    one = one && extent.is(1);
    known = known && extent.is_number();
  }
  if (one) {
    return {};
  }
  if (shape.size() == 1) {
    return known ? context.require_equal(shape[0], count, fmt::format("{} axis 0", name), counted)
                 : Status{};
  }
  return known ? Status(context.error(fmt::format(
                     "{} must be one element or a vector, has shape {}", name, to_string(shape))))
               : Status{};
}

}  // namespace

Status infer_MatMul(InferenceContext& context) {
  using Row = isa::MatMul;
  if (!context.tensor(Row::lhs).rank_known || !context.tensor(Row::rhs).rank_known) {
    context.set_unknown(Row::dst);
    return {};
  }
  PLIANT_ASSIGN_OR_RETURN(const Factor lhs,
                          factor(context, Row::lhs, "lhs", 1, context.flag(Row::transpose_lhs)));
  PLIANT_ASSIGN_OR_RETURN(const Factor rhs,
                          factor(context, Row::rhs, "rhs", 2, context.flag(Row::transpose_rhs)));
  PLIANT_ASSIGN_OR_RETURN(const ExtentShape shape, product_shape(context, lhs, rhs));
  return context.set(Row::dst, shape);
}

Status infer_MatMulInteger(InferenceContext& context) {
  using Row = isa::MatMulInteger;
  if (!context.tensor(Row::lhs).rank_known || !context.tensor(Row::rhs).rank_known) {
    context.set_unknown(Row::dst);
    return {};
  }
  PLIANT_ASSIGN_OR_RETURN(const Factor lhs, factor(context, Row::lhs, "lhs", 1, false));
  PLIANT_ASSIGN_OR_RETURN(const Factor rhs, factor(context, Row::rhs, "rhs", 2, false));
  PLIANT_RETURN_IF_ERROR(check_zero_point(context, Row::lhs_zero_point, "lhs_zero_point", lhs.outer,
                                          "the number of rows"));
  PLIANT_RETURN_IF_ERROR(check_zero_point(context, Row::rhs_zero_point, "rhs_zero_point", rhs.outer,
                                          "the number of columns"));
  PLIANT_ASSIGN_OR_RETURN(const ExtentShape shape, product_shape(context, lhs, rhs));
  return context.set(Row::dst, shape);
}

}  // namespace pliant::semantics
