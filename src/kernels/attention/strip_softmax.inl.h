// Softmax of one row of scores for the CPU level that the including file is compiled for.

#include "kernels/attention/strip_softmax.h"
#include "kernels/simd/math.h"

namespace pliant::kernels::PLIANT_SIMD_LEVEL {
namespace {

using attention::StripRowArguments;

constexpr float kMinusInfinity = -__builtin_inff();

/// Lanes of `from` that are not 0; `count` bytes are read.
PLIANT_INLINE Int load_seen(const std::uint8_t* from, std::int64_t count) {
  std::uint8_t bytes[kWidth] = {};
  if (count == kWidth) {
    __builtin_memcpy(bytes, from, kWidth);
  } else {
    for (std::int64_t lane = 0; lane < count; ++lane) {
      bytes[lane] = from[lane];
    }
  }
#if defined(__AVX512F__)
  const Int wide = reinterpret_cast<Int>(
      _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))));
#elif defined(__AVX2__)
  const Int wide = reinterpret_cast<Int>(
      _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes))));
#else
  const Int wide = {bytes[0], bytes[1], bytes[2], bytes[3]};
#endif
  return wide != 0;
}

/// Scale, cap and mask of one vector of scores, `count` of them.
template <bool kCapped, bool kAdded, bool kMasked>
PLIANT_INLINE Float finish_scores(const StripRowArguments& row, Float scores, std::int64_t at,
                                  std::int64_t count) {
  scores = scores * row.scale;
  if constexpr (kCapped) {
    scores = hyperbolic_tangent(scores / row.softcap) * row.softcap;
  }
  if constexpr (kAdded) {
    scores =
        scores + (count == kWidth ? load(row.added + at) : load_partial(row.added + at, count));
  }
  if constexpr (kMasked) {
    scores = select(load_seen(row.seen + at, count), scores, broadcast(kMinusInfinity));
  }
  return scores;
}

/// First pass: finished scores, and their maximum.
template <bool kCapped, bool kAdded, bool kMasked>
float finish_row(const StripRowArguments& row) {
  Float most = broadcast(kMinusInfinity);
  std::int64_t at = 0;
  for (; at + kWidth <= row.count; at += kWidth) {
    const Float scores =
        finish_scores<kCapped, kAdded, kMasked>(row, load(row.scores + at), at, kWidth);
    most = nan_maximum(scores, most);
    store(row.scores + at, scores);
  }
  if (const std::int64_t rest = row.count - at; rest > 0) {
    const Float scores =
        finish_scores<kCapped, kAdded, kMasked>(row, load_partial(row.scores + at, rest), at, rest);
    store_partial(row.scores + at, scores, rest);
    most = nan_maximum(load_partial(row.scores + at, rest, kMinusInfinity), most);
  }
  float result = most[0];
  for (int lane = 1; lane < kWidth; ++lane) {
    const float value = most[lane];
    result = value > result || value != value ? value : result;
  }
  return result;
}

/// e^x for x <= 0 within 2 ulp, 0 below the normal numbers; NaN stays. In a softmax such a weight adds
/// nothing to a sum that is at least 1, so the last steps of the general function can be left out.
PLIANT_INLINE Float weight(Float x) {
  constexpr float kLeast = -87.0f;
  const ReducedExponent reduced = reduce_exponent(maximum(broadcast(kLeast), x));  // NaN passes
  const Float power = reduced_exponential_minus_one(reduced.r) + 1.0f;
  const Float scaled = power * as_float((to_int(reduced.n) + 127) << 23);
  return select(x < kLeast, Float{}, scaled);
}

void scale_row(const float* from, std::int64_t count, float factor, float* to) {
  std::int64_t at = 0;
  for (; at + kWidth <= count; at += kWidth) {
    store(to + at, load(from + at) * factor);
  }
  for (; at < count; ++at) {
    to[at] = from[at] * factor;
  }
}

float softmax_row(const StripRowArguments& row) {
  using Finish = float (*)(const StripRowArguments&);
  static constexpr Finish kFinish[2][2][2] = {
      {{finish_row<false, false, false>, finish_row<false, false, true>},
       {finish_row<false, true, false>, finish_row<false, true, true>}},
      {{finish_row<true, false, false>, finish_row<true, false, true>},
       {finish_row<true, true, false>, finish_row<true, true, true>}}};
  const float most = kFinish[row.softcap > 0][row.added != nullptr][row.seen != nullptr](row);
  if (most == kMinusInfinity) {
    for (std::int64_t i = 0; i < row.count; ++i) {
      row.scores[i] = 0;
    }
    return 0;
  }
  Float sums = {};
  std::int64_t at = 0;
  for (; at + kWidth <= row.count; at += kWidth) {
    const Float powers = weight(load(row.scores + at) - most);
    sums += powers;
    store(row.scores + at, powers);
  }
  if (const std::int64_t rest = row.count - at; rest > 0) {
    // Lanes past the end are exp(-inf) = 0.
    const Float powers = weight(load_partial(row.scores + at, rest, kMinusInfinity) - most);
    sums += powers;
    store_partial(row.scores + at, powers, rest);
  }
  return 1.0f / reduce_add(sums);
}

}  // namespace
}  // namespace pliant::kernels::PLIANT_SIMD_LEVEL
