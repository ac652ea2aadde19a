#include <array>
#include <utility>

#include "onnx/converters.h"
#include "onnx/convolution_attributes.h"

// Convolutions and pools.

namespace pliant::onnx {
namespace {

constexpr std::array kAutoPads = {
    std::pair{"NOTSET", isa::AutoPad::kExplicit}, std::pair{"SAME_UPPER", isa::AutoPad::kSameUpper},
    std::pair{"SAME_LOWER", isa::AutoPad::kSameLower}, std::pair{"VALID", isa::AutoPad::kValid},
    std::pair{"", isa::AutoPad::kExplicit}};

Operand window(Node& node) {
  if (!node.has_attribute("kernel_shape")) {
    node.refuse(ErrorCode::kCorrupt, "a required attribute is missing: kernel_shape");
  }
  return node.integers("kernel_shape");
}

}  // namespace

Emitter::Fields window_fields(Node& node) {
  const Operand auto_pad = node.choice<isa::AutoPad>("auto_pad", "NOTSET", kAutoPads);
  Emitter::Fields fields = {{"strides", node.integers("strides")},
                            {"dilations", node.integers("dilations")},
                            {"auto_pad", auto_pad}};
  if (auto_pad == isa::choice(isa::AutoPad::kExplicit)) {
    fields.push_back({"pads", node.integers("pads")});
  }
  return fields;
}

isa::Opcode convolution_row(Node& node, const Operand& x, const Operand& weights) {
  static constexpr std::array kRows = {isa::Opcode::kConv1d, isa::Opcode::kConv2d,
                                       isa::Opcode::kConv3d};
  const int rank = node.rank(weights) ? *node.rank(weights) : node.known_rank(x);
  if (rank < 3 || rank > 5) {
    node.refuse(ErrorCode::kShapeMismatch, "weights have no or more than three spatial axes");
    return isa::Opcode::kConv1d;
  }
  return kRows[static_cast<std::size_t>(rank - 3)];
}

void convert_conv(Node& node) {
  const Operand x = node.input(0);
  const Operand weights = node.input(1);
  if (node.emitter().failed()) {
    return;
  }
  Emitter::Fields fields = window_fields(node);
  fields.push_back({"bias", node.optional_input(2)});
  fields.push_back({"group", isa::number(node.integer("group", 1))});
  node.set_output(
      0, node.emitter().emit(convolution_row(node, x, weights), {x, weights}, std::move(fields)));
}

void convert_conv_transpose(Node& node) {
  Emitter::Fields fields = window_fields(node);
  fields.push_back({"bias", node.optional_input(2)});
  fields.push_back({"group", isa::number(node.integer("group", 1))});
  fields.push_back({"output_padding", node.integers("output_padding")});
  fields.push_back({"output_shape", node.integers("output_shape")});
  node.set_output(0,
                  node.emit<isa::ConvTranspose>({node.input(0), node.input(1)}, std::move(fields)));
}

void convert_max_pool(Node& node) {
  Emitter::Fields fields = window_fields(node);
  fields.push_back({"ceil_mode", isa::flag(node.flag("ceil_mode", false))});
  fields.push_back({"column_major", isa::flag(node.flag("storage_order", false))});
  fields.push_back({"indices", node.output_register(1)});
  node.set_output(0, node.emit<isa::MaxPool>({node.input(0), window(node)}, std::move(fields)));
}

void convert_average_pool(Node& node) {
  Emitter::Fields fields = window_fields(node);
  fields.push_back({"ceil_mode", isa::flag(node.flag("ceil_mode", false))});
  fields.push_back({"count_padding", isa::flag(node.flag("count_include_pad", false))});
  node.set_output(0, node.emit<isa::AveragePool>({node.input(0), window(node)}, std::move(fields)));
}

void convert_global_pool(Node& node, isa::Opcode opcode) {
  const Operand x = node.input(0);
  if (node.emitter().failed()) {
    return;
  }
  const int rank = node.known_rank(x);
  std::vector<Operand> axes;
  for (int axis = 2; axis < rank; ++axis) {
    axes.push_back(isa::number(axis));
  }
  node.set_output(0, node.emitter().emit(opcode, {x},
                                         {{"axis", isa::list(std::move(axes))},
                                          {"keepdims", isa::flag(true)},
                                          {"empty", isa::choice(isa::EmptyAxes::kNone)}}));
}

}  // namespace pliant::onnx
