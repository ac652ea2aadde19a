#include "kernels/reduce/reference.h"

#include <cmath>
#include <limits>

#include "tensor/dtype.h"
#include "tensor/element_values.h"

namespace pliant::kernels {
namespace {

template <class Combine>
double total(const TensorView& elements, double start, Combine combine) {
  for_each_real(elements, [&](double x) { start = combine(start, x); });
  return start;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double sum(const TensorView& elements) {
  return total(elements, 0, [](double a, double x) { return a + x; });
}
double mean(const TensorView& elements) {
  return sum(elements) / static_cast<double>(elements.element_count());
}
double maximum(const TensorView& elements) {
  return total(elements, -kInfinity, [](double a, double x) { return x > a || x != x ? x : a; });
}
double minimum(const TensorView& elements) {
  return total(elements, kInfinity, [](double a, double x) { return x < a || x != x ? x : a; });
}
double product(const TensorView& elements) {
  return total(elements, 1, [](double a, double x) { return a * x; });
}
double sum_of_absolutes(const TensorView& elements) {
  return total(elements, 0, [](double a, double x) { return a + std::fabs(x); });
}
double sum_of_squares(const TensorView& elements) {
  return total(elements, 0, [](double a, double x) { return a + x * x; });
}
double length(const TensorView& elements) {
  return std::sqrt(sum_of_squares(elements));
}
double log_sum(const TensorView& elements) {
  return std::log(sum(elements));
}
double log_sum_exp(const TensorView& elements) {
  return std::log(total(elements, 0, [](double a, double x) { return a + std::exp(x); }));
}

struct Row {
  ReduceFunction function;
  double (*value)(const TensorView&);
};
constexpr Row kRows[] = {
    {ReduceFunction::kSum, sum},
    {ReduceFunction::kMean, mean},
    {ReduceFunction::kMaximum, maximum},
    {ReduceFunction::kMinimum, minimum},
    {ReduceFunction::kProduct, product},
    {ReduceFunction::kL1, sum_of_absolutes},
    {ReduceFunction::kL2, length},
    {ReduceFunction::kLogSum, log_sum},
    {ReduceFunction::kSumSquare, sum_of_squares},
    {ReduceFunction::kLogSumExp, log_sum_exp},
};

void visit_from_axis(const TensorView& x, const bool (&reduced)[kMaxRank], std::size_t axis,
                     FunctionRef<void(const TensorView&)> visit) {
  if (axis == x.shape.size()) {
    visit(x);
  } else if (reduced[axis]) {
    visit_from_axis(x, reduced, axis + 1, visit);
  } else {
    TensorView part = x;
    part.shape[axis] = 1;
    for (std::int64_t i = 0; i < x.shape[axis]; ++i) {
      part.data =
          x.as<std::byte>() + i * x.strides[axis] * static_cast<std::int64_t>(byte_size(x.dtype));
      visit_from_axis(part, reduced, axis + 1, visit);
    }
  }
}

std::int64_t place_of_best(ArgReduction reduction, const TensorView& elements) {
  const bool is_maximum =
      reduction == ArgReduction::kFirstMaximum || reduction == ArgReduction::kLastMaximum;
  const bool is_last =
      reduction == ArgReduction::kLastMaximum || reduction == ArgReduction::kLastMinimum;
  double best = 0;
  std::int64_t place = -1;
  std::int64_t k = 0;
  for_each_real(elements, [&](double x) {
    const bool better = place < 0 || (is_maximum ? x > best : x < best) || (x != x && best == best);
    const bool equal = x == best || (x != x && best != best);
    if (better || (equal && is_last)) {
      best = x;
      place = k;
    }
    ++k;
  });
  return place;
}

}  // namespace

void for_each_result(const TensorView& x, const bool (&reduced)[kMaxRank],
                     FunctionRef<void(const TensorView&)> visit) {
  visit_from_axis(x, reduced, 0, visit);
}

void reduce_reference(ReduceFunction function, const TensorView& x, const bool (&reduced)[kMaxRank],
                      double* results) {
  for (const Row& row : kRows) {
    if (row.function == function) {
      for_each_result(x, reduced,
                      [&](const TensorView& elements) { *results++ = row.value(elements); });
    }
  }
}

void arg_reduce_reference(ArgReduction reduction, const TensorView& x,
                          const bool (&reduced)[kMaxRank], std::int64_t* results) {
  for_each_result(x, reduced, [&](const TensorView& elements) {
    *results++ = place_of_best(reduction, elements);
  });
}

}  // namespace pliant::kernels
