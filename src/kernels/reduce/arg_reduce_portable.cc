#include <algorithm>
#include <type_traits>

#include "kernels/reduce/reduce.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

constexpr std::int64_t kGrain = 32768;
/// Elements after which a search asks whether to go on.
constexpr std::int64_t kElementsPerQuestion = 64 * kReductionBlock;

// Whether x takes the place of `best`, which came before it. A NaN wins over numbers.
struct FirstMaximum {
  template <class T>
  static bool wins(T x, T best) {
    return (x > best) | ((x != x) & (best == best));
  }
};
struct LastMaximum {
  template <class T>
  static bool wins(T x, T best) {
    return (x >= best) | (x != x);
  }
};
struct FirstMinimum {
  template <class T>
  static bool wins(T x, T best) {
    return (x < best) | ((x != x) & (best == best));
  }
};
struct LastMinimum {
  template <class T>
  static bool wins(T x, T best) {
    return (x <= best) | (x != x);
  }
};

template <class Order, class T>
void arg_reduce_rows(const ArgReduceArguments& arguments, const KernelContext& context) {
  const ReducedAxes& axes = arguments.axes;
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / axes.reduced_count);
  context.parallel.run(axes.result_count, grain, [&](std::int64_t begin, std::int64_t end, int) {
    BlockMemory memory;
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t start = position_of_result(axes, i).input;
      T best{};
      std::int64_t index = 0;
      for (std::int64_t first = 0; first < axes.reduced_count; first += kReductionBlock) {
        if (first % kElementsPerQuestion == 0 && context.parallel.is_stopped()) {
          return;
        }
        const std::int64_t count = std::min(axes.reduced_count - first, kReductionBlock);
        const T* x =
            static_cast<const T*>(read_block(arguments.source, axes, start, first, count, memory));
        if (first == 0) {
          best = x[0];
        }
        for (std::int64_t k = 0; k < count; ++k) {
          if (Order::wins(x[k], best)) {
            best = x[k];
            index = first + k;
          }
        }
      }
      write_results(arguments.target, axes, i, 1, &index);
    }
  });
}

/// f32 results that are neighbours and whose elements are neighbours: row by row of memory.
template <class Order>
void arg_reduce_columns(const ArgReduceArguments& arguments, const KernelContext& context) {
  const ReducedAxes& axes = arguments.axes;
  const std::int64_t width = axes.kept[axes.kept_rank - 1].extent;
  const std::int64_t stride = axes.reduced[0].stride;
  const std::int64_t groups = (width + kReductionColumns - 1) / kReductionColumns;
  const std::int64_t grain =
      std::max<std::int64_t>(1, kGrain / (axes.reduced_count * std::min(width, kReductionColumns)));
  context.parallel.run(
      axes.result_count / width * groups, grain, [&](std::int64_t begin, std::int64_t end, int) {
        float best[kReductionColumns];
        std::int32_t index[kReductionColumns];
        std::int64_t results[kReductionColumns];
        for (std::int64_t group = begin; group < end; ++group) {
          const std::int64_t first = group / groups * width + group % groups * kReductionColumns;
          const std::int64_t columns =
              std::min(width - group % groups * kReductionColumns, kReductionColumns);
          const float* x = reinterpret_cast<const float*>(arguments.source.data) +
                           position_of_result(axes, first).input;
          for (std::int64_t j = 0; j < columns; ++j) {
            best[j] = x[j];
            index[j] = 0;
          }
          for (std::int64_t k = 1; k < axes.reduced_count; ++k) {
            if (k % kReductionBlock == 0 && context.parallel.is_stopped()) {
              return;
            }
            const float* row = x + k * stride;
            for (std::int64_t j = 0; j < columns; ++j) {
              const bool wins = Order::wins(row[j], best[j]);
              best[j] = wins ? row[j] : best[j];
              index[j] = wins ? static_cast<std::int32_t>(k) : index[j];
            }
          }
          std::copy(index, index + columns, results);
          write_results(arguments.target, axes, first, columns, results);
        }
      });
}

template <class Order>
void run(const ArgReduceArguments& arguments, const KernelContext& context) {
  const ReducedAxes& axes = arguments.axes;
  if (arguments.computing == DType::kF32 && arguments.source.convert == nullptr &&
      axes.has_columns && axes.reduced_rank == 1 && axes.reduced[0].stride != 1 &&
      axes.reduced_count <= INT32_MAX) {
    arg_reduce_columns<Order>(arguments, context);
    return;
  }
  visit_dtype(arguments.computing, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> ||
                  std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t>) {
      arg_reduce_rows<Order, T>(arguments, context);
    }
  });
}

}  // namespace

void arg_reduce(const ArgReduceArguments& arguments, const KernelContext& context) {
  using Run = void (*)(const ArgReduceArguments&, const KernelContext&);
  static constexpr Run kRuns[] = {&run<FirstMaximum>, &run<LastMaximum>, &run<FirstMinimum>,
                                  &run<LastMinimum>};
  kRuns[static_cast<int>(arguments.reduction)](arguments, context);
}

}  // namespace pliant::kernels
