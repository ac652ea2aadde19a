#include "kernels/normalise/normalise.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "kernels/reduce/block_reduction.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

constexpr std::int64_t kGrain = 8192;

template <class T>
using Apply = void (*)(const T&);

template <class T>
void scale_row_plainly(const ScaleRow<T>& row) {
  for (std::int64_t i = 0; i < row.count; ++i) {
    const T normal = (row.x[i] - row.mean) * row.inverse;
    row.y[i] = normal * (row.scale == nullptr ? T{1} : row.scale[i]) +
               (row.bias == nullptr ? T{0} : row.bias[i]);
  }
}
template <class T>
void scale_segment_plainly(const ScaleSegment<T>& segment) {
  for (std::int64_t i = 0; i < segment.count; ++i) {
    segment.y[i] = (segment.x[i] - segment.mean) * segment.factor + segment.bias;
  }
}

/// The loops of one computing type at one CPU level.
template <class T>
struct Loops {
  ReduceBlock<T> sum;
  ReduceBlock<T> squares;
  ReduceBlock<T> deviations;
  Apply<ScaleRow<T>> scale_row;
  Apply<ScaleSegment<T>> scale_segment;
};
template <class T>
Loops<T> find_loops(CpuLevel level) {
  if constexpr (std::is_same_v<T, float>) {
    Loops<float> loops{find_reduce_block(BlockReduction::kSum, level),
                       find_reduce_block(BlockReduction::kSumOfSquares, level),
                       find_reduce_block(BlockReduction::kSumOfSquaredDeviations, level),
                       &portable::scale_row, &portable::scale_segment};
#define NORMALISE_KERNELS(Level, space)          \
  if (level == CpuLevel::Level) {                \
    loops.scale_row = &space::scale_row;         \
    loops.scale_segment = &space::scale_segment; \
  }
#include "kernels/normalise/kernels.inc"
    return loops;
  } else {
    static_cast<void>(level);
    return {scalar_reduce_block<T>(BlockReduction::kSum),
            scalar_reduce_block<T>(BlockReduction::kSumOfSquares),
            scalar_reduce_block<T>(BlockReduction::kSumOfSquaredDeviations), &scale_row_plainly<T>,
            &scale_segment_plainly<T>};
  }
}

/// Mean over a row of what the block reduction adds up; NaN of nothing.
template <class T>
double mean_of(ReduceBlock<T> reduce_block, const T* x, std::int64_t count, T shift) {
  double total = 0;
  for (std::int64_t first = 0; first < count; first += kReductionBlock) {
    total += static_cast<double>(
        reduce_block(x + first, std::min(count - first, kReductionBlock), shift));
  }
  return total / static_cast<double>(count);
}

template <class T>
struct Statistics {
  T mean = 0;
  T inverse_deviation = 0;
};
/// Two passes: deviations from the mean do not cancel as mean of squares minus square of mean does.
template <class T>
Statistics<T> statistics_of(const Loops<T>& loops, const T* x, std::int64_t count, double epsilon) {
  const T mean = static_cast<T>(mean_of<T>(loops.sum, x, count, T{0}));
  const double variance = mean_of<T>(loops.deviations, x, count, mean);
  return {mean, static_cast<T>(1.0 / std::sqrt(variance + epsilon))};
}

/// The parameter's elements; copies them first where they need that.
template <class T>
const T* elements_of(const NormaliseParameter& parameter, const KernelContext& context) {
  if (!parameter.prepared) {
    return reinterpret_cast<const T*>(parameter.data);
  }
  ElementwiseArguments copy = parameter.copy;
  std::byte* const target = context.scratch + parameter.scratch_offset;
  copy.operands[1].data = target;
  elementwise(copy, context);
  return reinterpret_cast<const T*>(target);
}

/// Rows of 16-bit floats pass through f32 memory of the worker's own.
template <class T>
struct RowMemory {
  const std::byte* x;
  std::byte* y;
  int element_bytes;
  DenseLoop to_f32;
  DenseLoop from_f32;
  T* converted;

  /// Row `first`..`first + count` in elements: where to read, and where to write the result.
  const T* read(std::int64_t first, std::int64_t count) const {
    const std::byte* from = x + first * element_bytes;
    if (to_f32 == nullptr) {
      return reinterpret_cast<const T*>(from);
    }
    convert(to_f32, from, converted, count);
    return converted;
  }
  T* target(std::int64_t first) const {
    return to_f32 == nullptr ? reinterpret_cast<T*>(y + first * element_bytes) : converted;
  }
  void finish(std::int64_t first, std::int64_t count) const {
    if (from_f32 != nullptr) {
      convert(from_f32, converted, y + first * element_bytes, count);
    }
  }
};
template <class T, class Arguments>
RowMemory<T> memory_of(const Arguments& arguments, const KernelContext& context,
                       std::int64_t row_length, int worker) {
  return {arguments.x,
          arguments.y,
          static_cast<int>(byte_size(arguments.dtype)),
          arguments.to_f32,
          arguments.from_f32,
          reinterpret_cast<T*>(context.scratch + arguments.rows_offset) + worker * row_length};
}

template <class T>
void layer_norm_rows(const LayerNormArguments& arguments, const KernelContext& context) {
  const Loops<T> loops = find_loops<T>(context.level);
  const T* const scale = elements_of<T>(arguments.scale, context);
  const T* const bias = elements_of<T>(arguments.bias, context);
  const std::int64_t count = arguments.row_length;
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(count, 1));
  context.parallel.run(
      arguments.row_count, grain, [&](std::int64_t begin, std::int64_t end, int worker) {
        const RowMemory<T> memory = memory_of<T>(arguments, context, count, worker);
        for (std::int64_t row = begin; row < end; ++row) {
          const T* x = memory.read(row * count, count);
          Statistics<T> statistics;
          if (arguments.kind == LayerNormArguments::Kind::kLayerNorm) {
            statistics = statistics_of<T>(loops, x, count, arguments.epsilon);
          } else {
            const double square = mean_of<T>(loops.squares, x, count, T{0});
            statistics.inverse_deviation =
                static_cast<T>(1.0 / std::sqrt(square + arguments.epsilon));
          }
          loops.scale_row({x, memory.target(row * count), count, statistics.mean,
                           statistics.inverse_deviation, scale, bias});
          memory.finish(row * count, count);
          if (arguments.mean != nullptr) {
            arguments.mean[row] = static_cast<float>(statistics.mean);
          }
          if (arguments.inverse_deviation != nullptr) {
            arguments.inverse_deviation[row] = static_cast<float>(statistics.inverse_deviation);
          }
        }
      });
}

template <class T>
void group_norm_rows(const GroupNormArguments& arguments, const KernelContext& context) {
  const Loops<T> loops = find_loops<T>(context.level);
  const T* const scale = elements_of<T>(arguments.scale, context);
  const T* const bias = elements_of<T>(arguments.bias, context);
  const std::int64_t channels = arguments.channels / arguments.groups;
  const std::int64_t count = channels * arguments.positions;
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / count);
  context.parallel.run(
      arguments.batch * arguments.groups, grain,
      [&](std::int64_t begin, std::int64_t end, int worker) {
        const RowMemory<T> memory = memory_of<T>(arguments, context, count, worker);
        for (std::int64_t row = begin; row < end; ++row) {
          const T* x = memory.read(row * count, count);
          T* y = memory.target(row * count);
          const Statistics<T> statistics = statistics_of<T>(loops, x, count, arguments.epsilon);
          for (std::int64_t i = 0; i < channels; ++i) {
            const std::int64_t channel = row % arguments.groups * channels + i;
            loops.scale_segment({x + i * arguments.positions, y + i * arguments.positions,
                                 arguments.positions, statistics.mean,
                                 statistics.inverse_deviation * scale[channel], bias[channel]});
          }
          memory.finish(row * count, count);
        }
      });
}

double element_of(const BatchNormArguments::Vector& vector, std::int64_t index, DenseLoop to_f64,
                  int element_bytes) {
  double value = 0;
  convert(to_f64, vector.data + index * vector.stride * element_bytes, &value, 1);
  return value;
}

template <class T>
void fold_statistics(const BatchNormArguments& arguments, CpuLevel level, T* factors, T* summands) {
  const DenseLoop to_f64 = find_conversion(arguments.dtype, DType::kF64, level);
  const int bytes = static_cast<int>(byte_size(arguments.dtype));
  for (std::int64_t channel = 0; channel < arguments.channels; ++channel) {
    const double variance = element_of(arguments.variance, channel, to_f64, bytes);
    const double factor = element_of(arguments.scale, channel, to_f64, bytes) /
                          std::sqrt(variance + arguments.epsilon);
    const double mean = element_of(arguments.mean, channel, to_f64, bytes);
    factors[channel] = static_cast<T>(factor);
    summands[channel] =
        static_cast<T>(element_of(arguments.bias, channel, to_f64, bytes) - mean * factor);
  }
}

}  // namespace

void layer_norm(const LayerNormArguments& arguments, const KernelContext& context) {
  if (arguments.dtype == DType::kF64) {
    layer_norm_rows<double>(arguments, context);
  } else {
    layer_norm_rows<float>(arguments, context);
  }
}

void group_norm(const GroupNormArguments& arguments, const KernelContext& context) {
  if (arguments.dtype == DType::kF64) {
    group_norm_rows<double>(arguments, context);
  } else {
    group_norm_rows<float>(arguments, context);
  }
}

void batch_norm(const BatchNormArguments& arguments, const KernelContext& context) {
  ElementwiseArguments loop = arguments.loop;
  const std::int64_t bytes = arguments.dtype == DType::kF64 ? 8 : 4;
  std::byte* const factors = context.scratch;
  std::byte* const summands = context.scratch + arguments.channels * bytes;
  if (arguments.dtype == DType::kF64) {
    fold_statistics(arguments, context.level, reinterpret_cast<double*>(factors),
                    reinterpret_cast<double*>(summands));
  } else {
    fold_statistics(arguments, context.level, reinterpret_cast<float*>(factors),
                    reinterpret_cast<float*>(summands));
  }
  loop.operands[1].data = factors;
  loop.operands[2].data = summands;
  elementwise(loop, context);
}

}  // namespace pliant::kernels
