#include "onnx/converters.h"
#include "onnx/convolution_attributes.h"

// Quantised tensors.

namespace pliant::onnx {
namespace {

/// i32 sums of products as the node's quantised output: sums * (lhs_scale * rhs_scale), quantised.
/// The scales broadcast to the sums; the output's scale and zero point are inputs 6 and 7.
void set_requantised(Node& node, const Operand& sums, const Operand& lhs_scale,
                     const Operand& rhs_scale) {
  if (node.emitter().failed()) {
    return;
  }
  const Operand zero_point = node.input(7);
  const Operand scale = node.emit<isa::ElementwiseMultiply>({lhs_scale, rhs_scale});
  const Operand reals = node.emit<isa::Cast>({sums}, {{"to", isa::type(node.dtype(scale))}});
  const Operand scaled = node.emit<isa::ElementwiseMultiply>({reals, scale});
  node.set_output(0, node.emit<isa::Quantize>(
                         {scaled, node.input(6)},
                         {{"zero_point", zero_point}, {"to", isa::type(node.dtype(zero_point))}}));
}

/// [outputs] or one element as [1, outputs, 1, …], so that it broadcasts over a result of this rank.
Operand along_channels(Node& node, const Operand& x, int rank) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(rank), 1);
  shape[1] = -1;
  return node.emit<isa::Reshape>({x, isa::numbers(shape)});
}

/// A scale per row as a column, so that it broadcasts over the product; one for all as it is.
Operand along_rows(Node& node, const Operand& scale) {
  const auto shape = node.emitter().shape(scale);
  if (!shape || shape->size() != 1 || (*shape)[0].is(1)) {
    return scale;
  }
  return node.emit<isa::Unsqueeze>({scale}, {{"axis", isa::numbers(std::vector<int>{1})}});
}

}  // namespace

void convert_quantise(Node& node) {
  const Operand zero_point = node.optional_input(2);
  const DType by_zero_point = zero_point.given() ? node.dtype(zero_point) : DType::kU8;
  // output_dtype 0 means "not given".
  const DType to = node.integer("output_dtype", 0) == 0
                       ? by_zero_point
                       : node.element_type("output_dtype", DType::kU8);
  node.set_output(
      0, node.emit<isa::Quantize>({node.input(0), node.input(1)},
                                  {{"zero_point", zero_point},
                                   {"to", isa::type(to)},
                                   {"axis", isa::number(node.integer("axis", 1))},
                                   {"block", isa::number(node.integer("block_size", 0))}}));
}

void convert_dequantise(Node& node) {
  node.set_output(
      0, node.emit<isa::Dequantize>({node.input(0), node.input(1)},
                                    {{"zero_point", node.optional_input(2)},
                                     {"axis", isa::number(node.integer("axis", 1))},
                                     {"block", isa::number(node.integer("block_size", 0))}}));
}

void convert_dynamic_quantise(Node& node) {
  node.emitter().emit_with_results(
      isa::Opcode::kDynamicQuantize,
      {node.output_register(0), node.output_register(1), node.output_register(2), node.input(0)});
}

void convert_matmul_integer(Node& node) {
  node.set_output(0, node.emit<isa::MatMulInteger>({node.input(0), node.input(1)},
                                                   {{"lhs_zero_point", node.optional_input(2)},
                                                    {"rhs_zero_point", node.optional_input(3)}}));
}

void convert_conv_integer(Node& node) {
  Emitter::Fields fields = window_fields(node);
  fields.push_back({"x_zero_point", node.optional_input(2)});
  fields.push_back({"weights_zero_point", node.optional_input(3)});
  fields.push_back({"group", isa::number(node.integer("group", 1))});
  node.set_output(0,
                  node.emit<isa::ConvInteger>({node.input(0), node.input(1)}, std::move(fields)));
}

/// Inputs: a, its scale and zero point, b, its scale and zero point, scale and zero point of the
/// result.
void convert_quantised_matmul(Node& node) {
  const Operand a_scale = node.input(1);
  const Operand sums = node.emit<isa::MatMulInteger>(
      {node.input(0), node.input(3)},
      {{"lhs_zero_point", node.input(2)}, {"rhs_zero_point", node.input(5)}});
  if (!node.emitter().failed()) {
    set_requantised(node, sums, along_rows(node, a_scale), node.input(4));
  }
}

/// Inputs: as the product's, then an i32 bias in units of both scales.
void convert_quantised_conv(Node& node) {
  const Operand weights = node.input(3);
  if (node.emitter().failed()) {
    return;
  }
  const int rank = node.known_rank(weights);
  if (rank < 3) {
    node.refuse(ErrorCode::kShapeMismatch, "weights have no spatial axes");
    return;
  }
  Emitter::Fields fields = window_fields(node);
  fields.push_back({"x_zero_point", node.input(2)});
  fields.push_back({"weights_zero_point", node.input(5)});
  fields.push_back({"group", isa::number(node.integer("group", 1))});
  Operand sums = node.emit<isa::ConvInteger>({node.input(0), weights}, std::move(fields));
  if (node.has_input(8)) {
    sums = node.emit<isa::ElementwiseAdd>({sums, along_channels(node, node.input(8), rank)});
  }
  set_requantised(node, sums, along_channels(node, node.input(1), rank),
                  along_channels(node, node.input(4), rank));
}

}  // namespace pliant::onnx
