#include "onnx/converters.h"
#include "onnx/convolution_attributes.h"

// Quantised tensors.

namespace pliant::onnx {

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

}  // namespace pliant::onnx
