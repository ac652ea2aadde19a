#include <fmt/format.h>

#include "isa/opcode.h"
#include "semantics/rules.h"

namespace pliant::semantics {
namespace {

Status require_rank(InferenceContext& context, int operand, std::string_view name,
                    std::size_t rank) {
  const ExtentShape& shape = context.tensor(operand).shape;
  if (shape.size() != rank) {
    return context.error(
        fmt::format("{} must have rank {}, has shape {}", name, rank, to_string(shape)));
  }
  return {};
}

/// The mask broadcasts to [batch, heads, queries, keys], which it must not enlarge.
Status check_mask(InferenceContext& context, const ExtentShape& scores) {
  using Row = isa::Attention;
  if (!context.given(Row::mask)) {
    return {};
  }
  const TensorFacts& mask = context.tensor(Row::mask);
  const DType dtype = context.tensor(Row::q).dtype;
  if (mask.dtype != DType::kBool && mask.dtype != dtype) {
    return context.error(
        fmt::format("mask must be bool or {}, is {}", name(dtype), name(mask.dtype)));
  }
  if (!mask.rank_known) {
    return {};
  }
  if (mask.shape.size() > scores.size()) {
    return context.error(
        fmt::format("mask {} does not broadcast to {}", to_string(mask.shape), to_string(scores)));
  }
  const std::size_t missing = scores.size() - mask.shape.size();
  for (std::size_t axis = 0; axis < mask.shape.size(); ++axis) {
    const Extent extent = mask.shape[axis];
    const Extent wanted = scores[axis + missing];
    if (extent.is_number() && wanted.is_number() && !extent.is(1) &&
        extent.number() != wanted.number()) {
      return context.error(fmt::format("mask {} does not broadcast to {}", to_string(mask.shape),
                                       to_string(scores)));
    }
  }
  return {};
}

}  // namespace

Status infer_Attention(InferenceContext& context) {
  using Row = isa::Attention;
  if (!context.tensor(Row::q).rank_known || !context.tensor(Row::k).rank_known ||
      !context.tensor(Row::v).rank_known) {
    context.set_rank(Row::dst, 4);
    return {};
  }
  PLIANT_RETURN_IF_ERROR(require_rank(context, Row::q, "q", 4));
  PLIANT_RETURN_IF_ERROR(require_rank(context, Row::k, "k", 4));
  PLIANT_RETURN_IF_ERROR(require_rank(context, Row::v, "v", 4));
  const ExtentShape& q = context.tensor(Row::q).shape;
  const ExtentShape& k = context.tensor(Row::k).shape;
  const ExtentShape& v = context.tensor(Row::v).shape;
  PLIANT_RETURN_IF_ERROR(context.require_equal(q[0], k[0], "q axis 0", "k axis 0"));
  PLIANT_RETURN_IF_ERROR(context.require_equal(k[0], v[0], "k axis 0", "v axis 0"));
  PLIANT_RETURN_IF_ERROR(context.require_equal(k[1], v[1], "k axis 1", "v axis 1"));
  PLIANT_RETURN_IF_ERROR(context.require_equal(k[2], v[2], "k axis 2", "v axis 2"));
  PLIANT_RETURN_IF_ERROR(context.require_equal(q[3], k[3], "q axis 3", "k axis 3"));
  if (q[1].is_number() && k[1].is_number()) {
    const std::int64_t heads = q[1].number();
    const std::int64_t key_heads = k[1].number();
    if (heads != 0 && (key_heads == 0 || heads % key_heads != 0)) {
      return context.error(
          fmt::format("heads of k must divide heads of q: {} and {}", key_heads, heads));
    }
  }
  PLIANT_RETURN_IF_ERROR(check_mask(context, {q[0], q[1], q[2], k[2]}));
  return context.set(Row::dst, {q[0], q[1], q[2], v[3]});
}

Status infer_Rotary(InferenceContext& context) {
  using Row = isa::Rotary;
  const std::int64_t rotated = context.integer(Row::rotated);
  if (rotated < 0 || rotated % 2 != 0) {
    return context.error(fmt::format("rotated must be an even number >= 0, is {}", rotated));
  }
  if (!context.tensor(Row::x).rank_known) {
    context.set_rank(Row::dst, 4);
    return {};
  }
  PLIANT_RETURN_IF_ERROR(require_rank(context, Row::x, "x", 4));
  const ExtentShape& x = context.tensor(Row::x).shape;
  const Extent width = x[3];
  if (width.is_number() &&
      (rotated > width.number() || (rotated == 0 && width.number() % 2 != 0))) {
    return context.error(fmt::format(
        "an even number of elements up to the width can be rotated: rotated is {}, width is {}",
        rotated, width.number()));
  }
  const Extent half = floor_divide(rotated == 0 ? width : Extent(rotated), Extent(2));
  const bool with_positions = context.given(Row::positions);
  if (with_positions && context.tensor(Row::positions).rank_known) {
    PLIANT_RETURN_IF_ERROR(require_rank(context, Row::positions, "positions", 2));
    const ExtentShape& positions = context.tensor(Row::positions).shape;
    PLIANT_RETURN_IF_ERROR(
        context.require_equal(positions[0], x[0], "positions axis 0", "x axis 0"));
    PLIANT_RETURN_IF_ERROR(
        context.require_equal(positions[1], x[2], "positions axis 1", "x axis 2"));
  }
  struct Table {
    int operand;
    std::string_view name;
  };
  for (const Table& table : {Table{Row::cosine, "cosine"}, Table{Row::sine, "sine"}}) {
    if (!context.tensor(table.operand).rank_known) {
      continue;
    }
    PLIANT_RETURN_IF_ERROR(
        require_rank(context, table.operand, table.name, with_positions ? 2 : 3));
    const ExtentShape& shape = context.tensor(table.operand).shape;
    const std::size_t last = shape.size() - 1;
    PLIANT_RETURN_IF_ERROR(context.require_equal(
        shape[last], half, fmt::format("{} axis {}", table.name, last), "rotated / 2"));
    if (with_positions) {
      continue;
    }
    PLIANT_RETURN_IF_ERROR(
        context.require_equal(shape[1], x[2], fmt::format("{} axis 1", table.name), "x axis 2"));
    if (shape[0].is_number() && x[0].is_number() && !shape[0].is(1)) {
      PLIANT_RETURN_IF_ERROR(
          context.require_equal(shape[0], x[0], fmt::format("{} axis 0", table.name), "x axis 0"));
    }
  }
  if (with_positions && context.tensor(Row::cosine).rank_known &&
      context.tensor(Row::sine).rank_known) {
    PLIANT_RETURN_IF_ERROR(context.require_equal(context.tensor(Row::cosine).shape[0],
                                                 context.tensor(Row::sine).shape[0],
                                                 "cosine axis 0", "sine axis 0"));
  }
  return context.set(Row::dst, x);
}

}  // namespace pliant::semantics
