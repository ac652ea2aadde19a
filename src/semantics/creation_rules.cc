#include <fmt/format.h>

#include <cmath>

#include "semantics/rules.h"
#include "semantics/shape_lists.h"
#include "tensor/dtype.h"

// FILL, RANGE, ONE_HOT and random numbers: tensors made from sizes and single values.

namespace pliant::semantics {

Status infer_Fill(InferenceContext& context) {
  PLIANT_RETURN_IF_ERROR(require_one_element(context, isa::Fill::value, "value"));
  return set_from_sizes(context, isa::Fill::dst, isa::Fill::shape);
}

namespace {

/// Elements of an integer range whose bounds are numbers; the difference may need more than 64
/// bits.
Extent range_count(std::int64_t start, std::int64_t limit, std::int64_t step) {
  __extension__ using Wide = __int128;
  const Wide distance = step > 0 ? Wide{limit} - start : Wide{start} - limit;
  const Wide stride = step > 0 ? Wide{step} : -Wide{step};
  if (distance <= 0) {
    return 0;
  }
  const Wide count = (distance + stride - 1) / stride;
  return count > INT64_MAX ? Extent::overflow() : Extent(static_cast<std::int64_t>(count));
}

Status infer_integer_range(InferenceContext& context) {
  const auto start = context.integer_value(isa::Range::start);
  const auto limit = context.integer_value(isa::Range::limit);
  const auto step = context.integer_value(isa::Range::step);
  if (step && step->is(0)) {
    return context.error("step is 0");
  }
  if (!start || !limit || !step || !step->is_number()) {
    context.set_rank(isa::Range::dst, 1);
    return {};
  }
  if (start->is_number() && limit->is_number()) {
    return context.set(isa::Range::dst,
                       {range_count(start->number(), limit->number(), step->number())});
  }
  if (step->number() == INT64_MIN) {
    context.set_rank(isa::Range::dst, 1);
    return {};
  }
  const Extent distance = step->number() > 0 ? *limit - *start : *start - *limit;
  const Extent count = ceil_divide(distance, std::abs(step->number()));
  return context.set(isa::Range::dst, {is_nonnegative(count) ? count : maximum(count, 0)});
}

Status infer_float_range(InferenceContext& context) {
  const auto start = context.real_value(isa::Range::start);
  const auto limit = context.real_value(isa::Range::limit);
  const auto step = context.real_value(isa::Range::step);
  if (step && *step == 0.0) {
    return context.error("step is 0");
  }
  if (!start || !limit || !step) {
    context.set_rank(isa::Range::dst, 1);
    return {};
  }
  const double count = std::ceil((*limit - *start) / *step);
  if (std::isnan(count)) {
    return context.error(
        fmt::format("start {}, limit {} and step {} give no length", *start, *limit, *step));
  }
  if (count >= 0x1p62) {
    return context.set(isa::Range::dst, {Extent::overflow()});
  }
  return context.set(isa::Range::dst, {Extent(count > 0 ? static_cast<std::int64_t>(count) : 0)});
}

}  // namespace

Status infer_Range(InferenceContext& context) {
  PLIANT_RETURN_IF_ERROR(require_one_element(context, isa::Range::start, "start"));
  PLIANT_RETURN_IF_ERROR(require_one_element(context, isa::Range::limit, "limit"));
  PLIANT_RETURN_IF_ERROR(require_one_element(context, isa::Range::step, "step"));
  return is_float(context.tensor(isa::Range::start).dtype) ? infer_float_range(context)
                                                           : infer_integer_range(context);
}

Status infer_OneHot(InferenceContext& context) {
  const TensorFacts& indices = context.tensor(isa::OneHot::indices);
  const TensorFacts& values = context.tensor(isa::OneHot::values);
  if (values.rank_known &&
      (values.shape.size() != 1 || (values.shape[0].is_number() && !values.shape[0].is(2)))) {
    return context.error(
        fmt::format("values must have shape [2], it has {}", to_string(values.shape)));
  }
  const auto depth = context.size(isa::OneHot::depth);
  if (depth && depth->is_number() && depth->number() < 0) {
    return context.error(fmt::format("depth is {}", depth->number()));
  }
  if (!indices.rank_known) {
    context.set_unknown(isa::OneHot::dst);
    return {};
  }
  const std::size_t rank = indices.shape.size() + 1;
  PLIANT_RETURN_IF_ERROR(check_rank(context, rank));
  PLIANT_ASSIGN_OR_RETURN(const int axis,
                          context.normalise_axis(context.integer(isa::OneHot::axis), rank));
  ExtentShape shape = indices.shape;
  shape.insert_at(static_cast<std::size_t>(axis), depth ? *depth : context.unknown_extent());
  return context.set(isa::OneHot::dst, shape);
}

Status infer_Random(InferenceContext& context) {
  const DType dtype = context.type(isa::RandomUniform::to);
  if (!is_float(dtype)) {
    return context.error(
        fmt::format("random numbers are f32, f16, bf16 or f64, not {}", name(dtype)));
  }
  return set_from_sizes(context, isa::RandomUniform::dst, isa::RandomUniform::shape);
}

}  // namespace pliant::semantics
