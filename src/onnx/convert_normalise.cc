#include "onnx/converters.h"

// Normalisation: with given statistics, over layers, groups, instances, and by hand.

namespace pliant::onnx {
namespace {

Operand epsilon(Node& node, double default_value = 1e-5) {
  return isa::real(node.real("epsilon", default_value));
}

void batch_norm(Node& node) {
  node.set_output(0, node.emit<isa::BatchNorm>({node.input(0), node.input(1), node.input(2),
                                                node.input(3), node.input(4)},
                                               {{"epsilon", epsilon(node)}}));
}

void group_norm(Node& node, const Operand& scale, const Operand& bias, const Operand& groups) {
  node.set_output(0, node.emit<isa::GroupNorm>({node.input(0), scale, bias},
                                               {{"groups", groups}, {"epsilon", epsilon(node)}}));
}

/// [groups] -> [channels], each value repeated for the channels of its group.
Operand per_channel(Node& node, const Operand& per_group, std::int64_t groups) {
  Emitter& emitter = node.emitter();
  const Operand channels = emitter.extent(node.input(0), 1);
  const Operand repeats = emitter.size(isa::Opcode::kSizeDivide, channels, isa::number(groups));
  const Operand column =
      node.emit<isa::Unsqueeze>({per_group}, {{"axis", isa::numbers(std::vector<int>{1})}});
  const Operand table =
      node.emit<isa::BroadcastTo>({column, isa::list({isa::number(groups), repeats})});
  return node.emit<isa::Reshape>({table, isa::list({channels})},
                                 {{"zero", isa::choice(isa::ZeroExtent::kLiteral)}});
}

Operand mean_over(Node& node, const Operand& x, const Operand& axes) {
  return node.emit<isa::ReduceMean>({x}, {{"axis", axes}, {"keepdims", isa::flag(true)}});
}

}  // namespace

void convert_batch_norm_7(Node& node) {
  if (!node.flag("spatial", true)) {
    node.unsupported("spatial=0 is not supported");
    return;
  }
  batch_norm(node);
}

void convert_batch_norm(Node& node) {
  if (node.flag("training_mode", false)) {
    node.unsupported("training_mode is not supported");
    return;
  }
  batch_norm(node);
}

void convert_instance_norm(Node& node) {
  group_norm(node, node.input(1), node.input(2), isa::number(0));
}

void convert_group_norm(Node& node) {
  group_norm(node, node.input(1), node.input(2), isa::number(node.required_integer("num_groups")));
}

/// Until version 20 scale and bias have one value per group, not per channel.
void convert_group_norm_per_group(Node& node) {
  const std::int64_t groups = node.required_integer("num_groups");
  if (groups < 1) {
    node.refuse(ErrorCode::kCorrupt, "num_groups is out of range");
    return;
  }
  const Operand scale = per_channel(node, node.input(1), groups);
  const Operand bias = per_channel(node, node.input(2), groups);
  group_norm(node, scale, bias, isa::number(groups));
}

void convert_layer_norm(Node& node) {
  node.set_output(0, node.emit<isa::LayerNorm>({node.input(0)},
                                               {{"scale", node.input(1)},
                                                {"bias", node.optional_input(2)},
                                                {"axis", isa::number(node.integer("axis", -1))},
                                                {"epsilon", epsilon(node)},
                                                {"mean", node.output_register(1)},
                                                {"inverse_deviation", node.output_register(2)}}));
}

void convert_rms_norm(Node& node) {
  node.set_output(
      0, node.emit<isa::RmsNorm>({node.input(0)}, {{"scale", node.input(1)},
                                                   {"axis", isa::number(node.integer("axis", -1))},
                                                   {"epsilon", epsilon(node)}}));
}

/// (x - mean) / (deviation + 1e-9), as the standard's function body computes it.
void convert_mean_variance_norm(Node& node) {
  const Operand x = node.input(0);
  const Operand axes =
      isa::numbers(node.integer_list("axes").value_or(std::vector<std::int64_t>{0, 2, 3}));
  if (node.emitter().failed()) {
    return;
  }
  const Operand centred = node.emit<isa::ElementwiseSubtract>({x, mean_over(node, x, axes)});
  const Operand square = node.emit<isa::ElementwiseMultiply>({centred, centred});
  const Operand deviation = node.emit<isa::ElementwiseSquareRoot>({mean_over(node, square, axes)});
  const Operand divisor =
      node.emit<isa::ElementwiseAdd>({deviation, node.emitter().scalar(node.dtype(x), 1e-9)});
  node.set_output(0, node.emit<isa::ElementwiseDivide>({centred, divisor}));
}

/// x divided by its norm along an axis; a norm of 0 leaves zeros.
void convert_lp_norm(Node& node) {
  const Operand x = node.input(0);
  const std::int64_t p = node.integer("p", 2);
  if (p != 1 && p != 2) {
    node.unsupported("p is neither 1 nor 2");
  }
  if (node.emitter().failed()) {
    return;
  }
  const Operand axis = isa::list({isa::number(node.integer("axis", -1))});
  const Operand norm = node.emitter().emit(p == 1 ? isa::Opcode::kReduceL1 : isa::Opcode::kReduceL2,
                                           {x}, {{"axis", axis}, {"keepdims", isa::flag(true)}});
  const DType dtype = node.dtype(x);
  const Operand is_zero =
      node.emit<isa::ElementwiseEqual>({norm, node.emitter().scalar(dtype, 0.0)});
  const Operand divisor =
      node.emit<isa::ElementwiseSelect>({is_zero, node.emitter().scalar(dtype, 1.0), norm});
  node.set_output(0, node.emit<isa::ElementwiseDivide>({x, divisor}));
}

/// x / (bias + alpha * mean of x^2 over `size` neighbouring channels)^beta, channels outside being
/// 0: the mean is an average pool over [batch, 1, channels, positions].
void convert_local_response_norm(Node& node) {
  const Operand x = node.input(0);
  const std::int64_t size = node.required_integer("size");
  if (node.emitter().failed()) {
    return;
  }
  if (size < 1) {
    node.refuse(ErrorCode::kCorrupt, "size is out of range");
    return;
  }
  Emitter& emitter = node.emitter();
  const DType dtype = node.dtype(x);
  const Operand square = node.emit<isa::ElementwiseMultiply>({x, x});
  const Operand positions =
      node.emit<isa::Reshape>({square, isa::numbers(std::vector<int>{0, 0, -1})});
  const Operand image =
      node.emit<isa::Unsqueeze>({positions}, {{"axis", isa::numbers(std::vector<int>{1})}});
  const std::vector<std::int64_t> pads = {(size - 1) / 2, 0, size / 2, 0};
  const Operand mean = node.emit<isa::AveragePool>(
      {image, isa::numbers(std::vector<std::int64_t>{size, 1})},
      {{"pads", isa::numbers(pads)}, {"count_padding", isa::flag(true)}});
  const Operand same_shape = node.emit<isa::Reshape>(
      {mean, node.emit<isa::ShapeOf>({x})}, {{"zero", isa::choice(isa::ZeroExtent::kLiteral)}});
  const Operand scaled = node.emit<isa::ElementwiseMultiply>(
      {same_shape, emitter.scalar(dtype, node.real("alpha", 1e-4))});
  const Operand base =
      node.emit<isa::ElementwiseAdd>({scaled, emitter.scalar(dtype, node.real("bias", 1.0))});
  const Operand power =
      node.emit<isa::ElementwisePower>({base, emitter.scalar(dtype, node.real("beta", 0.75))});
  node.set_output(0, node.emit<isa::ElementwiseDivide>({x, power}));
}

}  // namespace pliant::onnx
