#include "kernels/quantise/reference.h"

#include <algorithm>
#include <cmath>

#include "kernels/quantise/elements.h"

namespace pliant::kernels::quantise {
namespace {

double element(DType dtype, const void* data, std::int64_t at) {
  double value = 0;
  read(dtype, data, at, 1, &value);
  return value;
}

/// Where the scale of element (outer, axis, inner) is.
std::int64_t scale_index(const QuantiseArguments& g, std::int64_t at) {
  const std::int64_t inner = at % g.inner;
  const std::int64_t axis = at / g.inner % g.axis;
  const std::int64_t outer = at / g.inner / g.axis;
  switch (g.granularity) {
    case Granularity::kTensor:
      return 0;
    case Granularity::kAxis:
      return axis;
    case Granularity::kBlocks:
      break;
  }
  const std::int64_t blocks = (g.axis + g.block - 1) / g.block;
  return (outer * blocks + axis / g.block) * g.inner + inner;
}

double zero_point(const QuantiseArguments& g, std::int64_t at) {
  return g.zero_point == nullptr ? 0 : element(g.zero_point_dtype, g.zero_point, at);
}

/// std::nearbyint rounds ties to even; NaN is below everything.
double saturate(double quotient, double zero, const IntegerRange& range) {
  return std::isnan(quotient)
             ? range.least
             : std::clamp<double>(std::nearbyint(quotient) + zero, range.least, range.most);
}

double divide_in_f32(double x, double scale) {
  return static_cast<double>(static_cast<float>(x) / static_cast<float>(scale));
}

}  // namespace

void quantise_reference(const QuantiseArguments& g, double* results) {
  for (std::int64_t i = 0; i < g.outer * g.axis * g.inner; ++i) {
    const std::int64_t at = scale_index(g, i);
    const double x = element(g.x_dtype, g.x, i);
    const double scale = element(g.scale_dtype, g.scale, at);
    const double quotient = g.x_dtype == DType::kI32 ? x / scale : divide_in_f32(x, scale);
    results[i] = saturate(quotient, zero_point(g, at), integer_range(g.dst_dtype));
  }
}

void dequantise_reference(const QuantiseArguments& g, double* results) {
  for (std::int64_t i = 0; i < g.outer * g.axis * g.inner; ++i) {
    const std::int64_t at = scale_index(g, i);
    const float x = static_cast<float>(element(g.x_dtype, g.x, i));
    const float zero = static_cast<float>(zero_point(g, at));
    const float scale = static_cast<float>(element(g.scale_dtype, g.scale, at));
    results[i] = static_cast<double>((x - zero) * scale);
  }
}

DynamicScale dynamic_quantise_reference(const DynamicQuantiseArguments& g, double* results) {
  float least = 0;
  float most = 0;
  for (std::int64_t i = 0; i < g.count; ++i) {
    least = std::fmin(least, g.x[i]);  // fmin and fmax pass over NaN
    most = std::fmax(most, g.x[i]);
  }
  DynamicScale result;
  result.scale = least == most ? 1.0f : (most - least) / 255.0f;
  const double scale = static_cast<double>(result.scale);
  const IntegerRange range{0, 255};
  result.zero_point = saturate(divide_in_f32(static_cast<double>(-least), scale), 0, range);
  for (std::int64_t i = 0; i < g.count; ++i) {
    results[i] =
        saturate(divide_in_f32(static_cast<double>(g.x[i]), scale), result.zero_point, range);
  }
  return result;
}

}  // namespace pliant::kernels::quantise
