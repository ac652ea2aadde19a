#include "kernels/softmax/softmax.h"

#include "bind/operator.h"
#include "bind/result_strides.h"

namespace pliant::bind {
namespace {

using Row = isa::Softmax;  // the rows of this operator have the same operands

kernels::RowFunction function_of_row(isa::Opcode opcode) {
  struct Entry {
    isa::Opcode opcode;
    kernels::RowFunction function;
  };
  static constexpr Entry kEntries[] = {
      {isa::Opcode::kSoftmax, kernels::RowFunction::kSoftmax},
      {isa::Opcode::kLogSoftmax, kernels::RowFunction::kLogSoftmax},
      {isa::Opcode::kHardmax, kernels::RowFunction::kHardmax}};
  for (const Entry& entry : kEntries) {
    if (entry.opcode == opcode) {
      return entry.function;
    }
  }
  PLIANT_CHECK(false);
}

kernels::SoftmaxArguments arguments_of(const BindContext& context) {
  const TensorView& x = context.input(Row::x);
  const TensorView& y = context.output(Row::dst);
  const std::int64_t given = context.integer(Row::axis);
  const auto axis = static_cast<std::size_t>(given < 0 ? given + x.rank() : given);
  bool along[kMaxRank] = {};
  along[axis] = true;
  kernels::SoftmaxArguments arguments;
  arguments.function = function_of_row(context.opcode());
  arguments.axes = kernels::make_reduced_axes(x, along, y.strides);
  arguments.y_stride = y.strides[axis];
  arguments.x = x.as<std::byte>();
  arguments.y = y.as<std::byte>();
  arguments.element_bytes = static_cast<int>(byte_size(x.dtype));
  arguments.computing = x.dtype == DType::kF64 ? DType::kF64 : DType::kF32;
  if (x.dtype != arguments.computing) {
    arguments.to_computing =
        kernels::find_conversion(x.dtype, arguments.computing, context.level());
    arguments.from_computing =
        kernels::find_conversion(arguments.computing, x.dtype, context.level());
  }
  return arguments;
}

void layout_softmax(BindContext& context) {
  const TensorView& x = context.input(Row::x);
  context.set_strides(Row::dst, strides_following(x, x.shape));
  context.set_scratch_bytes(
      kernels::softmax_scratch_bytes(arguments_of(context), context.worker_count()));
}

void bind_softmax(BindContext& context) {
  const TensorView& y = context.output(Row::dst);
  if (y.element_count() == 0) {
    return;
  }
  const kernels::SoftmaxArguments arguments = arguments_of(context);
  context.call.set(&kernels::softmax, arguments);
  if (arguments.y_stride == 1 && context.input(Row::x).is_contiguous() && y.is_contiguous()) {
    context.call.is_loop(arguments.axes.result_count);
  }
}

int softmax_row_axes(const isa::Instruction& instruction, int rank) {
  const std::int64_t axis = instruction.operands[Row::axis].number;
  return axis == -1 || axis == rank - 1 ? rank - 1 : -1;
}

}  // namespace

const Operator kSoftmax{.layout = layout_softmax,
                        .bind = bind_softmax,
                        .in_place = InPlace::kFirstInput,
                        .row_axes = softmax_row_axes};

}  // namespace pliant::bind
