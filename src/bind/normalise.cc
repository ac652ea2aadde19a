#include "kernels/normalise/normalise.h"

#include "bind/operator.h"
#include "bind/result_strides.h"
#include "tensor/dtype.h"

namespace pliant::bind {
namespace {

using kernels::NormaliseParameter;

DType computing_type(DType dtype) {
  return dtype == DType::kF64 ? DType::kF64 : DType::kF32;
}

/// Scratch memory for up to two parameters of `count` elements, then a row of f32 per worker where
/// 16-bit floats are converted.
std::int64_t parameter_bytes(const TensorView& x, std::int64_t count) {
  const auto bytes = static_cast<std::int64_t>(byte_size(computing_type(x.dtype)));
  return (count * bytes + 63) / 64 * 64;
}
std::size_t scratch_bytes(const BindContext& context, const TensorView& x, std::int64_t count,
                          std::int64_t row_length) {
  const std::int64_t rows =
      x.dtype == computing_type(x.dtype) ? 0 : row_length * 4 * context.worker_count();
  return static_cast<std::size_t>(2 * parameter_bytes(x, count) + rows);
}

/// A parameter that broadcasts to `shape`: used where it is if it lies there as the kernel wants it.
NormaliseParameter parameter_of(BindContext& context, int operand, const Shape& shape,
                                std::int64_t offset) {
  NormaliseParameter parameter;
  if (!context.given(operand)) {
    return parameter;
  }
  const TensorView& view = context.input(operand);
  const DType computing = computing_type(view.dtype);
  if (view.dtype == computing && view.is_contiguous() &&
      view.element_count() == element_count(shape)) {
    parameter.data = view.as<std::byte>();
    return parameter;
  }
  kernels::ElementwiseLoop loop;
  loop.run = kernels::find_conversion(view.dtype, computing, context.level());
  loop.input_count = 1;
  loop.inputs[0] = view.dtype;
  loop.result = computing;
  TensorView target = contiguous_view(nullptr, computing, shape);
  TensorView source = view;
  while (source.shape.size() > shape.size()) {  // leading axes of extent 1
    source.shape.erase_at(0);
    source.strides.erase_at(0);
  }
  const TensorView broadcast = broadcast_view(source, shape);
  parameter.prepared = true;
  parameter.scratch_offset = offset;
  parameter.copy = kernels::make_elementwise(loop, &broadcast, target, context.level());
  return parameter;
}

template <class Arguments>
void set_conversions(BindContext& context, const TensorView& x, Arguments& arguments) {
  arguments.dtype = x.dtype;
  if (x.dtype != computing_type(x.dtype)) {
    arguments.to_f32 = kernels::find_conversion(x.dtype, DType::kF32, context.level());
    arguments.from_f32 = kernels::find_conversion(DType::kF32, x.dtype, context.level());
  }
}

// ---- LAYER_NORM, RMS_NORM: dst, x and scale are at the same places --------------------------------

/// The normalised axes.
Shape row_shape(const BindContext& context) {
  const TensorView& x = context.input(isa::LayerNorm::x);
  const int operand = isa::operand_index(isa::info(context.opcode()), "axis");
  const std::int64_t axis = context.integer(operand);
  Shape shape;
  for (std::int64_t i = axis < 0 ? axis + x.rank() : axis; i < x.rank(); ++i) {
    shape.push_back(x.shape[static_cast<std::size_t>(i)]);
  }
  return shape;
}

void layout_layer_norm(BindContext& context) {
  const std::int64_t row_length = element_count(row_shape(context));
  context.require_contiguous(isa::LayerNorm::x);
  context.set_scratch_bytes(
      scratch_bytes(context, context.input(isa::LayerNorm::x), row_length, row_length));
}

void bind_layer_norm(BindContext& context) {
  using Row = isa::LayerNorm;
  const TensorView& x = context.input(Row::x);
  const Shape shape = row_shape(context);
  kernels::LayerNormArguments arguments;
  arguments.row_length = element_count(shape);
  arguments.row_count = 1;
  for (std::size_t i = 0; i + shape.size() < x.shape.size(); ++i) {
    arguments.row_count *= x.shape[i];
  }
  arguments.x = x.as<std::byte>();
  arguments.y = context.output(Row::dst).as<std::byte>();
  arguments.epsilon = context.real(isa::operand_index(isa::info(context.opcode()), "epsilon"));
  const std::int64_t bytes = parameter_bytes(x, arguments.row_length);
  arguments.scale = parameter_of(context, Row::scale, shape, 0);
  arguments.rows_offset = 2 * bytes;
  set_conversions(context, x, arguments);
  if (context.opcode() == isa::Opcode::kRmsNorm) {
    arguments.kind = kernels::LayerNormArguments::Kind::kRmsNorm;
  } else {
    arguments.bias = parameter_of(context, Row::bias, shape, bytes);
    const auto statistic = [&](int operand) {
      return context.given(operand) && context.wanted(operand) ? context.output(operand).as<float>()
                                                               : nullptr;
    };
    arguments.mean = statistic(Row::mean);
    arguments.inverse_deviation = statistic(Row::inverse_deviation);
  }
  const bool has_statistics = arguments.mean != nullptr || arguments.inverse_deviation != nullptr;
  if (arguments.row_count != 0 && (arguments.row_length != 0 || has_statistics)) {
    context.call.set(&kernels::layer_norm, arguments);
    if (!arguments.scale.prepared && !arguments.bias.prepared) {
      context.call.is_loop(arguments.row_count);
    }
  }
}

int layer_norm_row_axes(const isa::Instruction& instruction, int rank) {
  const int operand = isa::operand_index(isa::info(instruction.opcode), "axis");
  const std::int64_t axis = instruction.operands[static_cast<std::size_t>(operand)].number;
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

// ---- GROUP_NORM -----------------------------------------------------------------------------------

kernels::GroupNormArguments group_norm_arguments(const BindContext& context) {
  using Row = isa::GroupNorm;
  const TensorView& x = context.input(Row::x);
  kernels::GroupNormArguments arguments;
  arguments.batch = x.shape[0];
  arguments.channels = x.shape[1];
  arguments.positions = 1;
  for (std::size_t i = 2; i < x.shape.size(); ++i) {
    arguments.positions *= x.shape[i];
  }
  const std::int64_t groups = context.integer(Row::groups);
  arguments.groups = groups == 0 ? arguments.channels : groups;
  return arguments;
}

void layout_group_norm(BindContext& context) {
  const kernels::GroupNormArguments arguments = group_norm_arguments(context);
  if (arguments.channels == 0) {
    return;
  }
  context.require_contiguous(isa::GroupNorm::x);
  context.set_scratch_bytes(
      scratch_bytes(context, context.input(isa::GroupNorm::x), arguments.channels,
                    arguments.channels / arguments.groups * arguments.positions));
}

void bind_group_norm(BindContext& context) {
  using Row = isa::GroupNorm;
  const TensorView& x = context.input(Row::x);
  if (x.element_count() == 0) {
    return;
  }
  kernels::GroupNormArguments arguments = group_norm_arguments(context);
  arguments.x = x.as<std::byte>();
  arguments.y = context.output(Row::dst).as<std::byte>();
  arguments.epsilon = context.real(Row::epsilon);
  const std::int64_t bytes = parameter_bytes(x, arguments.channels);
  arguments.scale = parameter_of(context, Row::scale, {arguments.channels}, 0);
  arguments.bias = parameter_of(context, Row::bias, {arguments.channels}, bytes);
  arguments.rows_offset = 2 * bytes;
  set_conversions(context, x, arguments);
  context.call.set(&kernels::group_norm, arguments);
}

// ---- BATCH_NORM -----------------------------------------------------------------------------------

void layout_batch_norm(BindContext& context) {
  const TensorView& x = context.input(isa::BatchNorm::x);
  context.set_strides(isa::BatchNorm::dst, strides_following(x, x.shape));
  context.set_scratch_bytes(static_cast<std::size_t>(x.shape[1]) * 2 *
                            byte_size(computing_type(x.dtype)));
}

void bind_batch_norm(BindContext& context) {
  using Row = isa::BatchNorm;
  const TensorView& x = context.input(Row::x);
  if (x.element_count() == 0) {
    return;
  }
  const auto vector = [&](int operand) {
    const TensorView& view = context.input(operand);
    return kernels::BatchNormArguments::Vector{view.as<std::byte>(), view.strides[0]};
  };
  kernels::BatchNormArguments arguments;
  arguments.scale = vector(Row::scale);
  arguments.bias = vector(Row::bias);
  arguments.mean = vector(Row::mean);
  arguments.variance = vector(Row::variance);
  arguments.channels = x.shape[1];
  arguments.epsilon = context.real(Row::epsilon);
  arguments.dtype = x.dtype;
  TensorView per_channel{nullptr, computing_type(x.dtype), x.shape, Strides(x.shape.size(), 0)};
  per_channel.strides[1] = 1;
  const TensorView inputs[] = {x, per_channel, per_channel};
  arguments.loop = kernels::make_elementwise(
      find_elementwise_loop(kernels::ElementwiseFunction::kMultiplyAdd, x.dtype, context.level()),
      inputs, context.output(Row::dst), context.level());
  context.call.set(&kernels::batch_norm, arguments);
}

}  // namespace

const Operator kLayerNorm{.layout = layout_layer_norm,
                          .bind = bind_layer_norm,
                          .in_place = InPlace::kFirstInput,
                          .row_axes = layer_norm_row_axes};
const Operator kGroupNorm{
    .layout = layout_group_norm, .bind = bind_group_norm, .in_place = InPlace::kFirstInput};
const Operator kBatchNorm{
    .layout = layout_batch_norm, .bind = bind_batch_norm, .in_place = InPlace::kFirstInput};

}  // namespace pliant::bind
