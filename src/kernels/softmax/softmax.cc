#include "kernels/softmax/softmax.h"

#include <algorithm>
#include <cstring>

namespace pliant::kernels {
namespace {

constexpr std::int64_t kGrain = 16384;

bool works_in_place(const SoftmaxArguments& arguments) {
  const bool dense = arguments.axes.reduced_rank == 0 ||
                     (arguments.axes.reduced[0].stride == 1 && arguments.y_stride == 1);
  return dense && arguments.to_computing == nullptr;
}

std::int64_t computing_bytes(const SoftmaxArguments& arguments) {
  return arguments.computing == DType::kF64 ? 8 : 4;
}

/// One group of rows in scratch memory: as stored, then as computed.
std::int64_t group_bytes(const SoftmaxArguments& arguments) {
  const std::int64_t bytes =
      kSoftmaxGroup * arguments.axes.reduced_count * computing_bytes(arguments);
  return (bytes + 63) / 64 * 64;
}

/// Element by element across the rows, then along them: neighbours in memory are often neighbours across.
template <class T>
void read_rows(const std::byte* x, const ResultPosition* rows, std::int64_t row_count,
               std::int64_t stride, std::int64_t count, std::byte* to) {
  const T* source = reinterpret_cast<const T*>(x);
  T* target = reinterpret_cast<T*>(to);
  for (std::int64_t k = 0; k < count; ++k) {
    for (std::int64_t row = 0; row < row_count; ++row) {
      target[row * count + k] = source[rows[row].input + k * stride];
    }
  }
}
template <class T>
void write_rows(const std::byte* from, const ResultPosition* rows, std::int64_t row_count,
                std::int64_t stride, std::int64_t count, std::byte* y) {
  const T* source = reinterpret_cast<const T*>(from);
  T* target = reinterpret_cast<T*>(y);
  for (std::int64_t k = 0; k < count; ++k) {
    for (std::int64_t row = 0; row < row_count; ++row) {
      target[rows[row].result + k * stride] = source[row * count + k];
    }
  }
}
using MoveRows = void (*)(const std::byte*, const ResultPosition*, std::int64_t, std::int64_t,
                          std::int64_t, std::byte*);
struct MoveRow {
  int element_bytes;
  MoveRows read;
  MoveRows write;
};
constexpr MoveRow kMoves[] = {{2, &read_rows<std::uint16_t>, &write_rows<std::uint16_t>},
                              {4, &read_rows<std::uint32_t>, &write_rows<std::uint32_t>},
                              {8, &read_rows<std::uint64_t>, &write_rows<std::uint64_t>}};

template <class T>
void run_in_place(const SoftmaxArguments& arguments, ApplyToRow<T> apply, std::int64_t begin,
                  std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    const ResultPosition position = position_of_result(arguments.axes, row);
    apply(reinterpret_cast<const T*>(arguments.x) + position.input,
          reinterpret_cast<T*>(arguments.y) + position.result, arguments.axes.reduced_count);
  }
}

template <class T>
void run_in_scratch(const SoftmaxArguments& arguments, ApplyToRow<T> apply, std::int64_t begin,
                    std::int64_t end, std::byte* scratch) {
  const std::int64_t count = arguments.axes.reduced_count;
  const std::int64_t stride =
      arguments.axes.reduced_rank == 0 ? 0 : arguments.axes.reduced[0].stride;
  const MoveRow* move = kMoves;
  while (move->element_bytes != arguments.element_bytes) {
    ++move;
  }
  std::byte* const stored = scratch;
  std::byte* const computed =
      arguments.to_computing == nullptr ? stored : scratch + group_bytes(arguments);
  ResultPosition rows[kSoftmaxGroup];
  for (std::int64_t first = begin; first < end; first += kSoftmaxGroup) {
    const std::int64_t row_count = std::min(end - first, kSoftmaxGroup);
    for (std::int64_t row = 0; row < row_count; ++row) {
      rows[row] = position_of_result(arguments.axes, first + row);
    }
    move->read(arguments.x, rows, row_count, stride, count, stored);
    if (arguments.to_computing != nullptr) {
      convert(arguments.to_computing, stored, computed, row_count * count);
    }
    for (std::int64_t row = 0; row < row_count; ++row) {
      T* elements = reinterpret_cast<T*>(computed) + row * count;
      apply(elements, elements, count);
    }
    if (arguments.from_computing != nullptr) {
      convert(arguments.from_computing, computed, stored, row_count * count);
    }
    move->write(stored, rows, row_count, arguments.y_stride, count, arguments.y);
  }
}

template <class T>
void run(const SoftmaxArguments& arguments, ApplyToRow<T> apply, const KernelContext& context) {
  const std::int64_t count = arguments.axes.reduced_count;
  const bool in_place = works_in_place(arguments);
  const std::int64_t grain = std::max<std::int64_t>(in_place ? 1 : kSoftmaxGroup, kGrain / count);
  context.parallel.run(
      arguments.axes.result_count, grain, [&](std::int64_t begin, std::int64_t end, int worker) {
        if (in_place) {
          run_in_place<T>(arguments, apply, begin, end);
        } else {
          run_in_scratch<T>(arguments, apply, begin, end,
                            context.scratch + std::int64_t{2} * worker * group_bytes(arguments));
        }
      });
}

}  // namespace

std::size_t softmax_scratch_bytes(const SoftmaxArguments& arguments, int worker_count) {
  return works_in_place(arguments)
             ? 0
             : static_cast<std::size_t>(2 * group_bytes(arguments) * worker_count);
}

void softmax(const SoftmaxArguments& arguments, const KernelContext& context) {
  if (arguments.computing == DType::kF64) {
    run<double>(arguments, scalar_row_function<double>(arguments.function), context);
  } else {
    run<float>(arguments, find_row_function(arguments.function, context.level), context);
  }
}

}  // namespace pliant::kernels
