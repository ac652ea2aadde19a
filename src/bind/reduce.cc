#include "kernels/reduce/reduce.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>

#include "bind/operator.h"
#include "kernels/elementwise/elementwise.h"
#include "tensor/dtype.h"

namespace pliant::bind {
namespace {

using kernels::ReducedAxes;
using kernels::ReduceFunction;

/// The function of each row, by the row's name.
ReduceFunction function_of_row(isa::Opcode opcode) {
  struct Row {
    isa::Opcode opcode;
    ReduceFunction function;
  };
  static constexpr Row kRows[] = {
#define REDUCE_FUNCTION(Name, ...) {isa::Opcode::kReduce##Name, ReduceFunction::k##Name},
#include "kernels/reduce/functions.inc"
  };
  for (const Row& row : kRows) {
    if (row.opcode == opcode) {
      return row.function;
    }
  }
  PLIANT_CHECK(false);
}

/// The result's strides as if the reduced axes had been kept.
Strides strides_with_reduced_axes(const TensorView& result, const bool (&reduced)[kMaxRank],
                                  std::size_t rank) {
  if (result.shape.size() == rank) {
    return result.strides;  // they were kept, or none is reduced
  }
  Strides strides(rank, 0);
  std::size_t kept = 0;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (!reduced[axis]) {
      strides[axis] = result.strides[kept++];
    }
  }
  return strides;
}

kernels::DenseLoop conversion_or_null(DType from, DType to, CpuLevel level) {
  return from == to ? nullptr : kernels::find_conversion(from, to, level);
}

kernels::ElementSource source_of(const TensorView& x, DType computing, CpuLevel level) {
  return {x.as<std::byte>(), static_cast<int>(byte_size(x.dtype)),
          conversion_or_null(x.dtype, computing, level)};
}

kernels::ResultTarget target_of(const TensorView& result, DType computing, CpuLevel level) {
  return {result.as<std::byte>(), static_cast<int>(byte_size(result.dtype)),
          conversion_or_null(computing, result.dtype, level)};
}

/// What a function gives for no elements at all, as the rows' texts say.
double value_of_nothing(ReduceFunction function) {
  constexpr double kZero = 0;
  constexpr double kOne = 1;
  constexpr double kLowest = -std::numeric_limits<double>::infinity();
  constexpr double kHighest = std::numeric_limits<double>::infinity();
  constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
  static constexpr double kValues[] = {
#define REDUCE_FUNCTION(Name, Block, Finish, Integers, OfNothing) k##OfNothing,
#include "kernels/reduce/functions.inc"
  };
  return kValues[static_cast<int>(function)];
}

/// Conversion saturates, so infinities become the ends of an integer type and NaN its 0.
void bind_results_of_nothing(BindContext& context, ReduceFunction function,
                             const ReducedAxes& axes) {
  const TensorView& result = context.output(isa::ReduceSum::dst);
  kernels::FillResultsArguments arguments;
  arguments.axes = axes;
  arguments.target = {result.as<std::byte>(), static_cast<int>(byte_size(result.dtype)), nullptr};
  const double value = value_of_nothing(function);
  kernels::convert(kernels::find_conversion(DType::kF64, result.dtype, context.level()), &value,
                   arguments.value, 1);
  context.call.set(&kernels::fill_results, arguments);
}

void bind_reduce(BindContext& context) {
  using Row = isa::ReduceSum;  // all REDUCE rows have the same operands
  const TensorView& x = context.input(Row::x);
  const TensorView& result = context.output(Row::dst);
  if (result.element_count() == 0) {
    return;
  }
  const std::span<const std::int64_t> given = context.sizes(Row::axis);
  const bool all =
      given.empty() && context.choice<isa::EmptyAxes>(Row::empty) == isa::EmptyAxes::kAll;
  bool reduced[kMaxRank];
  std::fill(std::begin(reduced), std::end(reduced), all);
  for (const std::int64_t axis : given) {
    reduced[axis < 0 ? axis + x.rank() : axis] = true;
  }
  const Strides strides = strides_with_reduced_axes(result, reduced, x.shape.size());
  const ReducedAxes axes = kernels::make_reduced_axes(x, reduced, strides);
  const ReduceFunction function = function_of_row(context.opcode());
  if (axes.reduced_count == 0) {
    bind_results_of_nothing(context, function, axes);
    return;
  }
  kernels::ReduceArguments arguments;
  arguments.axes = axes;
  arguments.method = kernels::find_reduce_method(function, x.dtype);
  arguments.source = source_of(x, arguments.method.computing, context.level());
  arguments.target = target_of(result, arguments.method.computing, context.level());
  context.call.set(&kernels::reduce, arguments);
  if (axes.kept_rank <= 1 && x.is_contiguous() && result.is_contiguous() &&
      kernels::reduces_row_by_row(arguments)) {
    context.call.is_loop(axes.result_count);
  }
}

/// The reduced axes have to be the last ones. A program may name axes that there are not, where the
/// rank was not known when it was verified.
int reduce_row_axes(const isa::Instruction& instruction, int rank) {
  bool reduced[kMaxRank] = {};
  for (const isa::Operand& axis : instruction.operands[isa::ReduceSum::axis].list) {
    if (axis.form != isa::Form::kNumber || axis.number < -rank || axis.number >= rank) {
      return -1;
    }
    reduced[axis.number < 0 ? axis.number + rank : axis.number] = true;
  }
  int kept = 0;
  while (kept < rank && !reduced[kept]) {
    ++kept;
  }
  return kept < rank && std::all_of(reduced + kept, reduced + rank, std::identity{}) ? kept : -1;
}

void bind_arg_reduce(BindContext& context) {
  using Row = isa::ArgMax;
  const TensorView& x = context.input(Row::x);
  const TensorView& result = context.output(Row::dst);
  if (result.element_count() == 0) {
    return;
  }
  bool reduced[kMaxRank] = {};
  const std::int64_t axis = context.integer(Row::axis);
  reduced[axis < 0 ? axis + x.rank() : axis] = true;
  kernels::ArgReduceArguments arguments;
  arguments.axes = kernels::make_reduced_axes(
      x, reduced, strides_with_reduced_axes(result, reduced, x.shape.size()));
  arguments.computing = kernels::find_reduce_method(ReduceFunction::kMaximum, x.dtype).computing;
  arguments.source = source_of(x, arguments.computing, context.level());
  arguments.target = target_of(result, DType::kI64, context.level());
  const bool first = context.choice<isa::Tie>(Row::tie) == isa::Tie::kFirst;
  if (context.opcode() == isa::Opcode::kArgMax) {
    arguments.reduction =
        first ? kernels::ArgReduction::kFirstMaximum : kernels::ArgReduction::kLastMaximum;
  } else {
    arguments.reduction =
        first ? kernels::ArgReduction::kFirstMinimum : kernels::ArgReduction::kLastMinimum;
  }
  context.call.set(&kernels::arg_reduce, arguments);
}

}  // namespace

const Operator kReduce{.bind = bind_reduce, .row_axes = reduce_row_axes};
const Operator kArgReduce{.bind = bind_arg_reduce};

}  // namespace pliant::bind
