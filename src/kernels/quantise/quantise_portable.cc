#include <algorithm>
#include <limits>
#include <type_traits>

#include "base/check.h"
#include "kernels/quantise/elements.h"
#include "kernels/quantise/quantise.h"

namespace pliant::kernels::quantise {
namespace {

/// A run of neighbouring elements and where their scales are: one for all, or one each.
struct Run {
  std::int64_t begin = 0;
  std::int64_t count = 0;
  std::int64_t scale = 0;
  bool scale_for_each = false;
};

/// The run that begins at `at` and ends where the scales do something else, or at `end`.
Run run_at(const QuantiseArguments& g, std::int64_t at, std::int64_t end) {
  if (g.granularity == Granularity::kTensor) {
    return {at, end - at, 0, false};
  }
  const std::int64_t i = at % g.inner;
  const std::int64_t a = at / g.inner % g.axis;
  if (g.granularity == Granularity::kAxis) {
    if (g.inner == 1) {
      return {at, std::min(end - at, g.axis - a), a, true};
    }
    return {at, std::min(end - at, g.inner - i), a, false};
  }
  const std::int64_t blocks = (g.axis - 1) / g.block + 1;
  const std::int64_t o = at / g.inner / g.axis;
  const std::int64_t scale = (o * blocks + a / g.block) * g.inner + i;
  if (g.inner == 1) {
    const std::int64_t left = std::min(g.block - a % g.block, g.axis - a);
    return {at, std::min(end - at, left), scale, false};
  }
  return {at, std::min(end - at, g.inner - i), scale, true};
}

/// Adding this pushes the fraction out of the significand, rounding ties to even.
template <class Number>
constexpr Number kRounder = std::is_same_v<Number, float> ? Number(0x1.8p23) : Number(0x1.8p52);

/// saturate(round(x / scale) + zero) of one element.
template <class Number>
std::int32_t quantised(Number x, Number scale, std::int32_t zero, const IntegerRange& range) {
  // Beyond this the result saturates with any zero point, and rounding by addition is exact within.
  constexpr Number kBound = 200000;
  Number value = x / scale;
  value = value > -kBound ? value : -kBound;  // NaN goes here
  value = value < kBound ? value : kBound;
  const Number rounded = (value + kRounder<Number>)-kRounder<Number>;
  const std::int32_t sum = static_cast<std::int32_t>(rounded) + zero;
  return std::min(std::max(sum, range.least), range.most);
}

template <class Number>
void quantise_stretch(const QuantiseArguments& g, const Run& run) {
  const IntegerRange range = integer_range(g.dst_dtype);
  Number x[kStretch];
  Number scale[kStretch];
  std::int32_t zero[kStretch] = {};
  std::int32_t result[kStretch];
  read(g.x_dtype, g.x, run.begin, run.count, x);
  const std::int64_t scales = run.scale_for_each ? run.count : 1;
  read(g.scale_dtype, g.scale, run.scale, scales, scale);
  if (g.zero_point != nullptr) {
    read(g.zero_point_dtype, g.zero_point, run.scale, scales, zero);
  }
  if (run.scale_for_each) {
    for (std::int64_t i = 0; i < run.count; ++i) {
      result[i] = quantised(x[i], scale[i], zero[i], range);
    }
  } else {
    for (std::int64_t i = 0; i < run.count; ++i) {
      result[i] = quantised(x[i], scale[0], zero[0], range);
    }
  }
  write(g.dst_dtype, result, run.count, g.dst, run.begin);
}

void dequantise_stretch(const QuantiseArguments& g, const Run& run) {
  float x[kStretch];
  float scale[kStretch];
  float zero[kStretch] = {};
  read(g.x_dtype, g.x, run.begin, run.count, x);
  const std::int64_t scales = run.scale_for_each ? run.count : 1;
  read(g.scale_dtype, g.scale, run.scale, scales, scale);
  if (g.zero_point != nullptr) {
    read(g.zero_point_dtype, g.zero_point, run.scale, scales, zero);
  }
  if (run.scale_for_each) {
    for (std::int64_t i = 0; i < run.count; ++i) {
      x[i] = (x[i] - zero[i]) * scale[i];
    }
  } else {
    for (std::int64_t i = 0; i < run.count; ++i) {
      x[i] = (x[i] - zero[0]) * scale[0];
    }
  }
  write(g.dst_dtype, x, run.count, g.dst, run.begin);
}

/// Walks the tensor in stretches.
template <class Stretch>
void for_each_stretch(const QuantiseArguments& g, const KernelContext& context, Stretch&& stretch) {
  constexpr std::int64_t kElementsPerPiece = 32 << 10;
  context.parallel.run(g.outer * g.axis * g.inner, kElementsPerPiece,
                       [&](std::int64_t begin, std::int64_t end, int) {
                         while (begin < end) {
                           const Run run = run_at(g, begin, std::min(end, begin + kStretch));
                           stretch(run);
                           begin += run.count;
                         }
                       });
}

}  // namespace

void quantise(const QuantiseArguments& g, const KernelContext& context) {
  if (g.x_dtype == DType::kI32) {
    for_each_stretch(g, context, [&](const Run& run) { quantise_stretch<double>(g, run); });
  } else {
    for_each_stretch(g, context, [&](const Run& run) { quantise_stretch<float>(g, run); });
  }
}

void dequantise(const QuantiseArguments& g, const KernelContext& context) {
  for_each_stretch(g, context, [&](const Run& run) { dequantise_stretch(g, run); });
}

std::size_t dynamic_quantise_scratch_bytes(int worker_count) {
  return static_cast<std::size_t>(worker_count) * 2 * sizeof(float);
}

void dynamic_quantise(const DynamicQuantiseArguments& g, const KernelContext& context) {
  PLIANT_DCHECK(context.parallel.worker_count() <= g.worker_count);
  constexpr std::int64_t kElementsPerPiece = 32 << 10;
  float* least_of = reinterpret_cast<float*>(context.scratch);
  float* most_of = least_of + g.worker_count;
  std::fill(least_of, most_of + g.worker_count, 0.0f);  // the range contains 0
  context.parallel.run(g.count, kElementsPerPiece,
                       [&](std::int64_t begin, std::int64_t end, int worker) {
                         float least = least_of[worker];
                         float most = most_of[worker];
                         for (std::int64_t i = begin; i < end; ++i) {
                           least = g.x[i] < least ? g.x[i] : least;
                           most = g.x[i] > most ? g.x[i] : most;
                         }
                         least_of[worker] = least;
                         most_of[worker] = most;
                       });
  const float least = *std::min_element(least_of, least_of + g.worker_count);
  const float most = *std::max_element(most_of, most_of + g.worker_count);
  const float scale = least == most ? 1.0f : (most - least) / 255.0f;
  const IntegerRange range{0, 255};
  const std::int32_t zero = quantised(-least, scale, 0, range);
  if (g.scale != nullptr) {
    *g.scale = scale;
  }
  if (g.zero_point != nullptr) {
    *g.zero_point = static_cast<std::uint8_t>(zero);
  }
  if (g.dst == nullptr) {
    return;
  }
  context.parallel.run(g.count, kElementsPerPiece, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      g.dst[i] = static_cast<std::uint8_t>(quantised(g.x[i], scale, zero, range));
    }
  });
}

}  // namespace pliant::kernels::quantise
