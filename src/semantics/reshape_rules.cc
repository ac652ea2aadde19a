#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "semantics/rules.h"
#include "semantics/shape_lists.h"

// RESHAPE, FLATTEN, SQUEEZE and UNSQUEEZE: the elements stay in row-major order.

namespace pliant::semantics {
namespace {

/// A product as a number and the symbolic factors beside it.
struct Factors {
  Extent number = 1;
  std::vector<Extent> symbolic;

  void multiply_by(const Extent& extent) {
    if (extent.is_number() || extent.is_overflow()) {
      number = number * extent;
    } else if (extent.expression()->kind == ExpressionKind::kMultiply) {
      multiply_by(extent.expression()->lhs);
      multiply_by(extent.expression()->rhs);
    } else {
      symbolic.push_back(extent);
    }
  }
  [[nodiscard]] Extent value() const {
    Extent result = number;
    for (const Extent& factor : symbolic) {
      result = result * factor;
    }
    return result;
  }
};

/// Removes symbolic factors that both products have.
void cancel(Factors& a, Factors& b) {
  for (auto factor = a.symbolic.begin(); factor != a.symbolic.end();) {
    const auto same = std::find(b.symbolic.begin(), b.symbolic.end(), *factor);
    if (same != b.symbolic.end()) {
      b.symbolic.erase(same);
      factor = a.symbolic.erase(factor);
    } else {
      ++factor;
    }
  }
}

bool is_fixed(const isa::Operand& sizes) {
  return sizes.form == isa::Form::kConstant ||
         (sizes.form == isa::Form::kList &&
          std::all_of(sizes.list.begin(), sizes.list.end(),
                      [](const isa::Operand& item) { return item.form == isa::Form::kNumber; }));
}

/// Names both shapes; where the program fixes an extent that x does not have, says which.
Error wrong_count(const InferenceContext& context, const ExtentShape& x,
                  const ExtentShape& requested) {
  std::string message =
      fmt::format("x of shape {} cannot have the shape {}", to_string(x), to_string(requested));
  if (is_fixed(context.operand(isa::Reshape::shape))) {
    for (std::size_t i = 0; i < std::min(x.size(), requested.size()); ++i) {
      if (requested[i].is_number() && requested[i].number() > 0 && !(x[i] == requested[i])) {
        message += fmt::format(": a constant of the model forces axis {} to {}, x has {}", i,
                               requested[i].number(), to_string(x[i]));
        break;
      }
    }
  }
  return context.error(message);
}

/// The extents of x, and the requested ones without the -1, that decide what -1 stands for.
struct Decisive {
  Factors all;
  Factors others;
};

/// Axes that both shapes share at the front or at the end do not decide: leaving them out gives the
/// same quotient, and an answer where a shared extent is 0. That goes for a literal 0 too: ONNX
/// forbids it beside -1, which it calls ambiguous, but PyTorch's exporter writes it for the empty
/// batch of every view(batch, seq, -1, n), where it is not.
Decisive without_shared_axes(const ExtentShape& x, const ExtentShape& requested,
                             std::size_t inferred) {
  std::size_t front = 0;
  while (front < inferred && front < x.size() && requested[front] == x[front]) {
    ++front;
  }
  std::size_t back = 0;
  while (back + inferred + 1 < requested.size() && front + back < x.size() &&
         requested[requested.size() - 1 - back] == x[x.size() - 1 - back]) {
    ++back;
  }
  Decisive decisive;
  for (std::size_t i = front; i + back < x.size(); ++i) {
    decisive.all.multiply_by(x[i]);
  }
  for (std::size_t i = front; i + back < requested.size(); ++i) {
    if (i != inferred) {
      decisive.others.multiply_by(requested[i]);
    }
  }
  return decisive;
}

/// The extent that -1 stands for, from the elements of x and the product of the other extents.
Result<Extent> inferred_extent(const InferenceContext& context, const ExtentShape& x,
                               const ExtentShape& requested, std::size_t inferred) {
  auto [all, others] = without_shared_axes(x, requested, inferred);
  if (others.number.is(0)) {
    return context.error(
        fmt::format("-1 cannot be computed beside an extent of 0 in {}", to_string(requested)));
  }
  cancel(all, others);
  if (!others.symbolic.empty()) {
    return floor_divide(all.value(), others.value());
  }
  if (all.number.is_number() && others.number.is_number()) {
    const std::int64_t quotient = all.number.number() / others.number.number();
    if (all.number.number() % others.number.number() == 0) {
      all.number = quotient;
      return all.value();
    }
    if (all.symbolic.empty()) {
      return wrong_count(context, x, requested);
    }
  }
  return floor_divide(all.value(), others.value());
}

/// Where -1 stands in the shape; its rank if nowhere.
Result<std::size_t> inferred_position(InferenceContext& context, const ExtentShape& shape) {
  std::size_t inferred = shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i].is(-1)) {
      if (inferred < shape.size()) {
        return context.error(
            fmt::format("at most one extent can be -1, the shape is {}", to_string(shape)));
      }
      inferred = i;
    } else if (!shape[i].is_number() && !is_nonnegative(shape[i])) {
      context.note_taken_for_extent(shape[i]);
    } else if (shape[i].is_number() && shape[i].number() < 0) {
      return context.error(fmt::format("extent {} of the shape is {}", i, shape[i].number()));
    }
  }
  return inferred;
}

/// Replaces every 0 of the shape by the extent of x at its position.
Status copy_extents(InferenceContext& context, const TensorFacts& x, ExtentShape& shape) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!shape[i].is(0)) {
      continue;
    }
    if (!x.rank_known) {
      shape[i] = context.unknown_extent();
    } else if (i >= x.shape.size()) {
      return context.error(
          fmt::format("the 0 at position {} of the shape has no axis to copy in x of shape {}", i,
                      to_string(x.shape)));
    } else {
      shape[i] = x.shape[i];
    }
  }
  return {};
}

Status require_same_count(InferenceContext& context, const ExtentShape& x,
                          const ExtentShape& requested) {
  Factors before;
  Factors after;
  before.multiply_by(product(x));
  after.multiply_by(product(requested));
  if (before.symbolic.empty() && after.symbolic.empty()) {
    if (!(before.number == after.number)) {
      return wrong_count(context, x, requested);
    }
    return {};
  }
  const Extent before_count = before.value();
  const Extent after_count = after.value();
  cancel(before, after);
  if (!before.symbolic.empty() || !after.symbolic.empty() || !(before.number == after.number)) {
    return context.require_equal(before_count, after_count, "element count of x",
                                 "element count of the shape");
  }
  return {};
}

}  // namespace

Status infer_Reshape(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::Reshape::x);
  const auto sizes = context.sizes(isa::Reshape::shape);
  if (!sizes) {
    return set_from_sizes(context, isa::Reshape::dst, isa::Reshape::shape);
  }
  PLIANT_ASSIGN_OR_RETURN(ExtentShape shape, shape_from(context, *sizes));
  PLIANT_ASSIGN_OR_RETURN(const std::size_t inferred, inferred_position(context, shape));
  if (context.choice<isa::ZeroExtent>(isa::Reshape::zero) == isa::ZeroExtent::kCopy) {
    PLIANT_RETURN_IF_ERROR(copy_extents(context, x, shape));
  }
  if (inferred < shape.size()) {
    if (x.rank_known) {
      PLIANT_ASSIGN_OR_RETURN(shape[inferred], inferred_extent(context, x.shape, shape, inferred));
    } else {
      shape[inferred] = context.unknown_extent();
    }
  } else if (x.rank_known) {
    PLIANT_RETURN_IF_ERROR(require_same_count(context, x.shape, shape));
  }
  return context.set(isa::Reshape::dst, shape);
}

Status infer_Flatten(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::Flatten::x);
  if (!x.rank_known) {
    context.set_rank(isa::Flatten::dst, 2);
    return {};
  }
  const auto rank = static_cast<std::int64_t>(x.shape.size());
  const std::int64_t axis = context.integer(isa::Flatten::axis);
  if (axis < -rank || axis > rank) {
    return context.error(fmt::format("axis {} is outside -{}..{}", axis, rank, rank));
  }
  const auto split = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  return context.set(isa::Flatten::dst,
                     {product(x.shape, 0, split), product(x.shape, split, x.shape.size())});
}

namespace {

/// Without axes: everything must be known, since an extent decides whether its axis stays.
Status squeeze_all(InferenceContext& context, const ExtentShape& x) {
  ExtentShape shape;
  for (const Extent& extent : x) {
    if (!extent.is_number()) {
      context.set_unknown(isa::Squeeze::dst);
      return {};
    }
    if (!extent.is(1)) {
      shape.push_back(extent);
    }
  }
  return context.set(isa::Squeeze::dst, shape);
}

}  // namespace

Status infer_Squeeze(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::Squeeze::x);
  if (!x.rank_known) {
    context.set_unknown(isa::Squeeze::dst);
    return {};
  }
  if (!context.given(isa::Squeeze::axis)) {
    return squeeze_all(context, x.shape);
  }
  const auto given = context.sizes(isa::Squeeze::axis);
  const auto numbers = given ? numbers_of(*given) : std::nullopt;
  if (!numbers) {
    const auto count = context.size_count(isa::Squeeze::axis);
    if (!count) {
      context.set_unknown(isa::Squeeze::dst);
    } else if (*count > static_cast<std::int64_t>(x.shape.size())) {
      return context.error(fmt::format("{} axes cannot be removed from a tensor of rank {}", *count,
                                       x.shape.size()));
    } else {
      context.set_rank(isa::Squeeze::dst, x.shape.size() - static_cast<std::size_t>(*count));
    }
    return {};
  }
  PLIANT_ASSIGN_OR_RETURN(const std::vector<int> axes,
                          distinct_axes(context, *numbers, x.shape.size()));
  ExtentShape shape;
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    if (std::find(axes.begin(), axes.end(), static_cast<int>(i)) == axes.end()) {
      shape.push_back(x.shape[i]);
    } else if (x.shape[i].is_number() && !x.shape[i].is(1)) {
      return context.error(
          fmt::format("axis {} of x has extent {}, only 1 can be removed", i, x.shape[i].number()));
    } else {
      PLIANT_RETURN_IF_ERROR(
          context.require_equal(x.shape[i], 1, "the removed extent", "the only one allowed"));
    }
  }
  return context.set(isa::Squeeze::dst, shape);
}

Status infer_Unsqueeze(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::Unsqueeze::x);
  const auto given = context.sizes(isa::Unsqueeze::axis);
  const auto count = given ? std::optional(static_cast<std::int64_t>(given->size()))
                           : context.size_count(isa::Unsqueeze::axis);
  if (!x.rank_known || !count) {
    context.set_unknown(isa::Unsqueeze::dst);
    return {};
  }
  const std::size_t rank = x.shape.size() + static_cast<std::size_t>(*count);
  PLIANT_RETURN_IF_ERROR(check_rank(context, rank));
  const auto numbers = given ? numbers_of(*given) : std::nullopt;
  if (!numbers) {
    context.set_rank(isa::Unsqueeze::dst, rank);
    return {};
  }
  PLIANT_ASSIGN_OR_RETURN(const std::vector<int> axes, distinct_axes(context, *numbers, rank));
  ExtentShape shape;
  std::size_t next = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    const bool is_new = std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
    shape.push_back(is_new ? Extent(1) : x.shape[next++]);
  }
  return context.set(isa::Unsqueeze::dst, shape);
}

}  // namespace pliant::semantics
