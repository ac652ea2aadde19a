#include <fmt/format.h>

#include "semantics/rules.h"
#include "semantics/shape_lists.h"

// GATHER, GATHER_ELEMENTS, GATHER_ND and their scattering counterparts.

namespace pliant::semantics {
namespace {

void append(ExtentShape& shape, const ExtentShape& from, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    shape.push_back(from[i]);
  }
}

/// Indices of the ...ELEMENTS rows: rank of x, and within x on every other axis.
Status check_element_indices(const InferenceContext& context, const ExtentShape& x,
                             const ExtentShape& indices, std::int64_t axis) {
  if (x.size() != indices.size()) {
    return context.error(
        fmt::format("indices have rank {}, x has rank {}", indices.size(), x.size()));
  }
  PLIANT_ASSIGN_OR_RETURN(const int normalised, context.normalise_axis(axis, x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (static_cast<int>(i) != normalised && x[i].is_number() && indices[i].is_number() &&
        indices[i].number() > x[i].number()) {
      return context.error(fmt::format("axis {} of indices has extent {}, of x only {}", i,
                                       indices[i].number(), x[i].number()));
    }
  }
  return {};
}

/// Number of components of an index tuple; empty when it is not a number.
Result<std::optional<std::size_t>> tuple_size(const InferenceContext& context, const ExtentShape& x,
                                              const ExtentShape& indices, std::size_t batch_axes) {
  if (indices.size() <= batch_axes || x.size() < batch_axes) {
    return context.error(fmt::format(
        "x of rank {} and indices of rank {} do not have {} common axes and a tuple axis", x.size(),
        indices.size(), batch_axes));
  }
  const Extent& last = indices.back();
  if (!last.is_number()) {
    return std::optional<std::size_t>();
  }
  if (last.number() > static_cast<std::int64_t>(x.size() - batch_axes)) {
    return context.error(fmt::format("index tuples have {} components, x has {} axes to index",
                                     last.number(), x.size() - batch_axes));
  }
  return std::optional(static_cast<std::size_t>(last.number()));
}

Status require_same_shape(InferenceContext& context, const ExtentShape& a, const ExtentShape& b,
                          std::string_view what_a, std::string_view what_b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) {
    same = context.require_equal(a[i], b[i], what_a, what_b).has_value();
  }
  if (!same) {
    return context.error(
        fmt::format("{} has shape {}, expected {}", what_a, to_string(a), to_string(b)));
  }
  return {};
}

Status set_like_x(InferenceContext& context, int result, const TensorFacts& x) {
  if (!x.rank_known) {
    context.set_unknown(result);
    return {};
  }
  return context.set(result, x.shape);
}

}  // namespace

Status infer_Gather(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::Gather::x);
  const TensorFacts& indices = context.tensor(isa::Gather::indices);
  if (!x.rank_known) {
    context.set_unknown(isa::Gather::dst);
    return {};
  }
  PLIANT_ASSIGN_OR_RETURN(
      const int axis, context.normalise_axis(context.integer(isa::Gather::axis), x.shape.size()));
  if (!indices.rank_known) {
    context.set_unknown(isa::Gather::dst);
    return {};
  }
  PLIANT_RETURN_IF_ERROR(check_rank(context, x.shape.size() - 1 + indices.shape.size()));
  ExtentShape shape;
  append(shape, x.shape, 0, static_cast<std::size_t>(axis));
  append(shape, indices.shape, 0, indices.shape.size());
  append(shape, x.shape, static_cast<std::size_t>(axis) + 1, x.shape.size());
  return context.set(isa::Gather::dst, shape);
}

Status infer_GatherElements(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::GatherElements::x);
  const TensorFacts& indices = context.tensor(isa::GatherElements::indices);
  if (x.rank_known && indices.rank_known) {
    PLIANT_RETURN_IF_ERROR(check_element_indices(context, x.shape, indices.shape,
                                                 context.integer(isa::GatherElements::axis)));
  }
  if (indices.rank_known) {
    return context.set(isa::GatherElements::dst, indices.shape);
  }
  if (x.rank_known) {
    context.set_rank(isa::GatherElements::dst, x.shape.size());
  } else {
    context.set_unknown(isa::GatherElements::dst);
  }
  return {};
}

Status infer_GatherNd(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::GatherNd::x);
  const TensorFacts& indices = context.tensor(isa::GatherNd::indices);
  const std::int64_t batch_dims = context.integer(isa::GatherNd::batch_dims);
  if (batch_dims < 0) {
    return context.error(fmt::format("batch_dims is {}", batch_dims));
  }
  if (!x.rank_known || !indices.rank_known) {
    context.set_unknown(isa::GatherNd::dst);
    return {};
  }
  const auto batch_axes = static_cast<std::size_t>(batch_dims);
  PLIANT_ASSIGN_OR_RETURN(const std::optional<std::size_t> components,
                          tuple_size(context, x.shape, indices.shape, batch_axes));
  for (std::size_t i = 0; i < batch_axes; ++i) {
    PLIANT_RETURN_IF_ERROR(context.require_equal(x.shape[i], indices.shape[i],
                                                 "a batch extent of x", "that of indices"));
  }
  if (!components) {
    context.set_unknown(isa::GatherNd::dst);
    return {};
  }
  const std::size_t first_kept = batch_axes + *components;
  PLIANT_RETURN_IF_ERROR(
      check_rank(context, indices.shape.size() - 1 + x.shape.size() - first_kept));
  ExtentShape shape;
  append(shape, indices.shape, 0, indices.shape.size() - 1);
  append(shape, x.shape, first_kept, x.shape.size());
  return context.set(isa::GatherNd::dst, shape);
}

Status infer_ScatterElements(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::ScatterElements::x);
  const TensorFacts& indices = context.tensor(isa::ScatterElements::indices);
  const TensorFacts& updates = context.tensor(isa::ScatterElements::updates);
  if (x.rank_known && indices.rank_known) {
    PLIANT_RETURN_IF_ERROR(check_element_indices(context, x.shape, indices.shape,
                                                 context.integer(isa::ScatterElements::axis)));
  }
  if (indices.rank_known && updates.rank_known) {
    PLIANT_RETURN_IF_ERROR(
        require_same_shape(context, updates.shape, indices.shape, "updates", "indices"));
  }
  return set_like_x(context, isa::ScatterElements::dst, x);
}

Status infer_ScatterNd(InferenceContext& context) {
  const TensorFacts& x = context.tensor(isa::ScatterNd::x);
  const TensorFacts& indices = context.tensor(isa::ScatterNd::indices);
  const TensorFacts& updates = context.tensor(isa::ScatterNd::updates);
  if (x.rank_known && indices.rank_known) {
    PLIANT_ASSIGN_OR_RETURN(const std::optional<std::size_t> components,
                            tuple_size(context, x.shape, indices.shape, 0));
    if (components && updates.rank_known) {
      PLIANT_RETURN_IF_ERROR(
          check_rank(context, indices.shape.size() - 1 + x.shape.size() - *components));
      ExtentShape expected;
      append(expected, indices.shape, 0, indices.shape.size() - 1);
      append(expected, x.shape, *components, x.shape.size());
      PLIANT_RETURN_IF_ERROR(
          require_same_shape(context, updates.shape, expected, "updates", "the slices"));
    }
  }
  return set_like_x(context, isa::ScatterNd::dst, x);
}

}  // namespace pliant::semantics
