#include <algorithm>
#include <type_traits>

#include "base/check.h"
#include "kernels/attention/rotary.h"
#include "kernels/wide_element.h"

namespace pliant::kernels::attention {
namespace {

/// One token of one head.
template <class T>
struct Row {
  const T* x;
  std::int64_t x_stride;
  T* y;
  std::int64_t y_stride;
  const T* cosine;
  std::int64_t cosine_stride;
  const T* sine;
  std::int64_t sine_stride;
};

/// `step` elements between pairs, `distance` between the two of a pair.
template <class T>
void rotate(const Row<T>& row, std::int64_t pairs, std::int64_t step, std::int64_t distance) {
  for (std::int64_t i = 0; i < pairs; ++i) {
    const auto c = widen(row.cosine[i * row.cosine_stride]);
    const auto s = widen(row.sine[i * row.sine_stride]);
    const auto first = widen(row.x[i * step * row.x_stride]);
    const auto second = widen(row.x[(i * step + distance) * row.x_stride]);
    row.y[i * step * row.y_stride] = narrow<T>(c * first - s * second);
    row.y[(i * step + distance) * row.y_stride] = narrow<T>(s * first + c * second);
  }
}

/// The usual case, halves that lie next to each other, in a form that becomes vector instructions.
void rotate_halves(const float* __restrict x, float* __restrict y, const float* __restrict cosine,
                   const float* __restrict sine, std::int64_t pairs) {
  for (std::int64_t i = 0; i < pairs; ++i) {
    const float first = x[i];
    const float second = x[i + pairs];
    y[i] = cosine[i] * first - sine[i] * second;
    y[i + pairs] = sine[i] * first + cosine[i] * second;
  }
}

template <class T>
void rotate_row(const RotaryArguments& g, const Row<T>& row) {
  const std::int64_t pairs = g.rotated / 2;
  if constexpr (std::is_same_v<T, float>) {
    const bool dense =
        row.x_stride == 1 && row.y_stride == 1 && row.cosine_stride == 1 && row.sine_stride == 1;
    if (dense && !g.interleaved) {
      rotate_halves(row.x, row.y, row.cosine, row.sine, pairs);
      std::copy(row.x + g.rotated, row.x + g.width, row.y + g.rotated);
      return;
    }
  }
  if (g.interleaved) {
    rotate(row, pairs, 2, 1);
  } else {
    rotate(row, pairs, 1, pairs);
  }
  for (std::int64_t i = g.rotated; i < g.width; ++i) {
    row.y[i * row.y_stride] = row.x[i * row.x_stride];
  }
}

template <class T>
void rotary(const RotaryArguments& g, const KernelContext& context) {
  constexpr std::int64_t kElementsPerPiece = 16 << 10;
  const std::int64_t grain =
      std::max<std::int64_t>(1, kElementsPerPiece / std::max<std::int64_t>(1, g.width));
  context.parallel.run(
      g.batch * g.heads * g.tokens, grain, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t at = begin; at < end; ++at) {
          const std::int64_t b = at / (g.heads * g.tokens);
          const std::int64_t h = at / g.tokens % g.heads;
          const std::int64_t t = at % g.tokens;
          const std::int64_t table_batch = g.positions != nullptr ? 0 : b;
          const std::int64_t table_row =
              g.positions != nullptr
                  ? g.positions[b * g.position_strides[0] + t * g.position_strides[1]]
                  : t;
          rotate_row<T>(g, {static_cast<const T*>(g.x) + b * g.x_strides[0] + h * g.x_strides[1] +
                                t * g.x_strides[2],
                            g.x_strides[3],
                            static_cast<T*>(g.dst) + b * g.dst_strides[0] + h * g.dst_strides[1] +
                                t * g.dst_strides[2],
                            g.dst_strides[3],
                            static_cast<const T*>(g.cosine) + table_batch * g.cosine_strides[0] +
                                table_row * g.cosine_strides[1],
                            g.cosine_strides[2],
                            static_cast<const T*>(g.sine) + table_batch * g.sine_strides[0] +
                                table_row * g.sine_strides[1],
                            g.sine_strides[2]});
        }
      });
}

}  // namespace

RotaryKernel rotary_kernel(DType dtype) {
  struct Entry {
    DType dtype;
    RotaryKernel kernel;
  };
  static constexpr Entry kEntries[] = {{DType::kF32, rotary<float>},
                                       {DType::kF16, rotary<Half>},
                                       {DType::kBF16, rotary<BFloat16>},
                                       {DType::kF64, rotary<double>}};
  for (const Entry& entry : kEntries) {
    if (entry.dtype == dtype) {
      return entry.kernel;
    }
  }
  PLIANT_CHECK(false);
  return nullptr;
}

}  // namespace pliant::kernels::attention
