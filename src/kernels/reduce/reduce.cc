#include "kernels/reduce/reduce.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

/// Elements per piece of work that is worth a thread.
constexpr std::int64_t kGrain = 32768;
/// Elements of one result after which a reduction asks whether to go on.
constexpr std::int64_t kElementsPerQuestion = 64 * kReductionBlock;

/// Blocks add up in f64, which makes their rounding negligible; integers stay exact.
template <class T>
using Total = std::conditional_t<std::is_integral_v<T>, T, double>;

template <class T>
Total<T> add_block(BlockReduction reduction, Total<T> total, T block) {
  using Wide = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                           std::type_identity<double>>::type;
  const auto value = static_cast<Total<T>>(block);
  if (reduction == BlockReduction::kMaximum) {
    return total > value || total != total ? total : value;
  }
  if (reduction == BlockReduction::kMinimum) {
    return total < value || total != total ? total : value;
  }
  if (reduction == BlockReduction::kProduct) {
    return static_cast<Total<T>>(static_cast<Wide>(total) * static_cast<Wide>(value));
  }
  return static_cast<Total<T>>(static_cast<Wide>(total) + static_cast<Wide>(value));
}

/// `shift` is what was subtracted before e^x was taken.
template <class T>
T finish(const ReduceMethod& method, Total<T> total, std::int64_t count, T shift) {
  if constexpr (std::is_floating_point_v<T>) {
    if (method.finish == ReduceFinish::kLogarithm) {
      const double logarithm = std::log(total);
      return static_cast<T>(method.block == BlockReduction::kSumOfExponentials
                                ? logarithm + static_cast<double>(shift)
                                : logarithm);
    }
    if (method.finish == ReduceFinish::kSquareRoot) {
      return static_cast<T>(std::sqrt(total));
    }
    return static_cast<T>(
        method.finish == ReduceFinish::kDivide ? total / static_cast<double>(count) : total);
  } else {
    return method.finish == ReduceFinish::kDivide ? static_cast<T>(total / static_cast<T>(count))
                                                  : total;
  }
}

/// What may be subtracted from every element before e^x: the largest, if that is a number.
template <class T>
T shift_for(T maximum) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(maximum) ? maximum : T{0};
  } else {
    return maximum;
  }
}

template <class T>
ReduceBlock<T> find_block(BlockReduction reduction, CpuLevel level) {
  if constexpr (std::is_same_v<T, float>) {
    return find_reduce_block(reduction, level);
  } else {
    static_cast<void>(level);
    return scalar_reduce_block<T>(reduction);
  }
}

/// Reduces the elements of one result.
template <class T>
Total<T> total_of(const ReduceArguments& arguments, BlockReduction reduction,
                  ReduceBlock<T> reduce_block, std::int64_t start, T shift, BlockMemory& memory,
                  const ParallelFor& parallel) {
  const std::int64_t count = arguments.axes.reduced_count;
  Total<T> total{};
  for (std::int64_t first = 0; first < count; first += kReductionBlock) {
    if (first % kElementsPerQuestion == 0 && parallel.is_stopped()) {
      return total;
    }
    const std::int64_t length = std::min(count - first, kReductionBlock);
    const void* elements =
        read_block(arguments.source, arguments.axes, start, first, length, memory);
    const T block = reduce_block(static_cast<const T*>(elements), length, shift);
    total = first == 0 ? static_cast<Total<T>>(block) : add_block<T>(reduction, total, block);
  }
  return total;
}

template <class T>
void reduce_rows(const ReduceArguments& arguments, const KernelContext& context) {
  const ReducedAxes& axes = arguments.axes;
  const BlockReduction reduction = arguments.method.block;
  const ReduceBlock<T> reduce_block = find_block<T>(reduction, context.level);
  const ReduceBlock<T> maximum_block = find_block<T>(BlockReduction::kMaximum, context.level);
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / axes.reduced_count);
  context.parallel.run(axes.result_count, grain, [&](std::int64_t begin, std::int64_t end, int) {
    BlockMemory memory;
    T results[kReductionColumns];
    for (std::int64_t first = begin; first < end; first += kReductionColumns) {
      const std::int64_t count = std::min(end - first, kReductionColumns);
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t start = position_of_result(axes, first + i).input;
        T shift{};
        if (reduction == BlockReduction::kSumOfExponentials) {
          shift = shift_for(
              static_cast<T>(total_of<T>(arguments, BlockReduction::kMaximum, maximum_block, start,
                                         T{}, memory, context.parallel)));
        }
        const Total<T> total =
            total_of<T>(arguments, reduction, reduce_block, start, shift, memory, context.parallel);
        results[i] = finish<T>(arguments.method, total, axes.reduced_count, shift);
      }
      write_results(arguments.target, axes, first, count, results);
    }
  });
}

/// Reduces up to kReductionColumns neighbouring results; f32 elements where they are.
void total_columns(const ReduceArguments& arguments, BlockReduction reduction,
                   ReduceColumns reduce_columns, std::int64_t start, std::int64_t columns,
                   const float* shifts, double* totals, std::int64_t* offsets,
                   const ParallelFor& parallel) {
  const std::int64_t count = arguments.axes.reduced_count;
  float results[kReductionColumns];
  for (std::int64_t first = 0; first < count && !parallel.is_stopped(); first += kReductionBlock) {
    const std::int64_t length = std::min(count - first, kReductionBlock);
    offsets_of_elements(arguments.axes, first, length, offsets);
    reduce_columns({.base = reinterpret_cast<const float*>(arguments.source.data) + start,
                    .offsets = offsets,
                    .count = length,
                    .columns = columns,
                    .shifts = shifts,
                    .results = results});
    for (std::int64_t j = 0; j < columns; ++j) {
      totals[j] = first == 0 ? static_cast<double>(results[j])
                             : add_block<float>(reduction, totals[j], results[j]);
    }
  }
}

void reduce_in_columns(const ReduceArguments& arguments, const KernelContext& context) {
  const ReducedAxes& axes = arguments.axes;
  const BlockReduction reduction = arguments.method.block;
  const ReduceColumns reduce_columns = find_reduce_columns(reduction, context.level);
  const ReduceColumns maximum_columns =
      find_reduce_columns(BlockReduction::kMaximum, context.level);
  const std::int64_t width = axes.kept[axes.kept_rank - 1].extent;
  const std::int64_t groups = (width + kReductionColumns - 1) / kReductionColumns;
  const std::int64_t work = axes.reduced_count * std::min(width, kReductionColumns);
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / work);
  context.parallel.run(
      axes.result_count / width * groups, grain, [&](std::int64_t begin, std::int64_t end, int) {
        std::int64_t offsets[kReductionBlock];
        float shifts[kReductionColumns] = {};
        double totals[kReductionColumns];
        float results[kReductionColumns];
        for (std::int64_t group = begin; group < end; ++group) {
          const std::int64_t first = group / groups * width + group % groups * kReductionColumns;
          const std::int64_t columns =
              std::min(width - group % groups * kReductionColumns, kReductionColumns);
          const std::int64_t start = position_of_result(axes, first).input;
          if (reduction == BlockReduction::kSumOfExponentials) {
            total_columns(arguments, BlockReduction::kMaximum, maximum_columns, start, columns,
                          shifts, totals, offsets, context.parallel);
            if (context.parallel.is_stopped()) {
              return;
            }
            for (std::int64_t j = 0; j < columns; ++j) {
              shifts[j] = shift_for(static_cast<float>(totals[j]));
            }
          }
          total_columns(arguments, reduction, reduce_columns, start, columns, shifts, totals,
                        offsets, context.parallel);
          if (context.parallel.is_stopped()) {
            return;  // there may be no totals
          }
          for (std::int64_t j = 0; j < columns; ++j) {
            results[j] = finish<float>(arguments.method, totals[j], axes.reduced_count, shifts[j]);
          }
          write_results(arguments.target, axes, first, columns, results);
        }
      });
}

/// Short runs along the reduced axes would have to be gathered; whole columns need not.
bool is_better_in_columns(const ReduceArguments& arguments) {
  const ReducedAxes& axes = arguments.axes;
  if (!axes.has_columns || arguments.source.convert != nullptr ||
      arguments.method.computing != DType::kF32) {
    return false;
  }
  const ReducedAxes::Axis& last = axes.reduced[std::max(axes.reduced_rank - 1, 0)];
  return last.stride != 1 || last.extent < kReductionLanes;
}

}  // namespace

ReduceMethod find_reduce_method(ReduceFunction function, DType dtype) {
  enum class IntegersIn { kWhole, kReal };
  struct Row {
    BlockReduction block;
    ReduceFinish finish;
    IntegersIn integers;
  };
  static constexpr Row kRows[] = {
#define REDUCE_FUNCTION(Name, Block, Finish, Integers, OfNothing) \
  {BlockReduction::k##Block, ReduceFinish::k##Finish, IntegersIn::k##Integers},
#include "kernels/reduce/functions.inc"
  };
  const Row& row = kRows[static_cast<int>(function)];
  ReduceMethod method{row.block, row.finish, DType::kF32};
  if (dtype == DType::kF64 || (is_integer(dtype) && row.integers == IntegersIn::kReal)) {
    method.computing = DType::kF64;
  } else if (is_integer(dtype)) {
    method.computing = dtype_class(dtype) == DTypeClass::kSigned ? DType::kI64 : DType::kU64;
  }
  return method;
}

void reduce(const ReduceArguments& arguments, const KernelContext& context) {
  if (is_better_in_columns(arguments)) {
    reduce_in_columns(arguments, context);
    return;
  }
  struct Row {
    DType computing;
    void (*run)(const ReduceArguments&, const KernelContext&);
  };
  static constexpr Row kRows[] = {{DType::kF32, &reduce_rows<float>},
                                  {DType::kF64, &reduce_rows<double>},
                                  {DType::kI64, &reduce_rows<std::int64_t>},
                                  {DType::kU64, &reduce_rows<std::uint64_t>}};
  for (const Row& row : kRows) {
    if (row.computing == arguments.method.computing) {
      row.run(arguments, context);
    }
  }
}

bool reduces_row_by_row(const ReduceArguments& arguments) {
  return !is_better_in_columns(arguments);
}

void fill_results(const FillResultsArguments& arguments, const KernelContext& context) {
  context.parallel.run(arguments.axes.result_count, kGrain,
                       [&](std::int64_t begin, std::int64_t end, int) {
                         for (std::int64_t i = begin; i < end; ++i) {
                           write_results(arguments.target, arguments.axes, i, 1, arguments.value);
                         }
                       });
}

}  // namespace pliant::kernels
