#include <array>
#include <utility>

#include "onnx/converters.h"

// Cutting, joining, repeating and padding.

namespace pliant::onnx {
namespace {

Operand pad_mode(Node& node) {
  static constexpr std::array kPadModes = {
      std::pair{"constant", isa::PadMode::kConstant}, std::pair{"reflect", isa::PadMode::kReflect},
      std::pair{"edge", isa::PadMode::kEdge}, std::pair{"wrap", isa::PadMode::kWrap}};
  return node.choice<isa::PadMode>("mode", "constant", kPadModes);
}

void split(Node& node, const Operand& sizes) {
  std::vector<Operand> parts;
  parts.reserve(static_cast<std::size_t>(node.output_count()));
  for (int i = 0; i < node.output_count(); ++i) {
    parts.push_back(node.output_register(i));
  }
  node.emitter().emit_with_results(
      isa::Opcode::kSplit, {isa::list(std::move(parts)), node.input(0)},
      {{"axis", isa::number(node.integer("axis", 0))}, {"sizes", sizes}});
}

Operand required_list(Node& node, const char* name) {
  if (!node.has_attribute(name)) {
    node.refuse(ErrorCode::kCorrupt, std::string("a required attribute is missing: ") + name);
  }
  return node.integers(name);
}

}  // namespace

void convert_slice_attributes(Node& node) {
  node.set_output(0, node.emit<isa::Slice>({node.input(0), required_list(node, "starts"),
                                            required_list(node, "ends")},
                                           {{"axes", node.integers("axes")}}));
}

void convert_slice_inputs(Node& node) {
  node.set_output(0, node.emit<isa::Slice>(
                         {node.input(0), node.sizes(1), node.sizes(2)},
                         {{"axes", node.optional_sizes(3)}, {"steps", node.optional_sizes(4)}}));
}

void convert_split_attribute(Node& node) {
  split(node, node.integers("split"));
}

void convert_split_input(Node& node) {
  if (node.has_attribute("num_outputs") && node.integer("num_outputs", 0) != node.output_count()) {
    node.refuse(ErrorCode::kCorrupt, "num_outputs is not the number of outputs");
    return;
  }
  split(node, node.optional_sizes(1));
}

void convert_concat(Node& node) {
  const std::vector<Operand> parts = node.all_inputs();
  node.set_output(0,
                  node.emit<isa::Concat>({isa::list(parts)},
                                         {{"axis", isa::number(node.required_integer("axis"))}}));
}

void convert_tile(Node& node) {
  node.set_output(0, node.emit<isa::Tile>({node.input(0), node.sizes(1)}));
}

void convert_pad_attributes(Node& node) {
  const Operand x = node.input(0);
  const Operand pads = required_list(node, "pads");
  if (node.emitter().failed()) {
    return;
  }
  const Operand value = node.emitter().scalar(node.dtype(x), node.real("value", 0.0));
  node.set_output(0, node.emit<isa::Pad>({x, pads}, {{"value", value}, {"mode", pad_mode(node)}}));
}

void convert_pad_inputs(Node& node) {
  node.set_output(
      0, node.emit<isa::Pad>({node.input(0), node.sizes(1)}, {{"value", node.optional_input(2)},
                                                              {"axes", node.optional_sizes(3)},
                                                              {"mode", pad_mode(node)}}));
}

void convert_trilu(Node& node) {
  const auto keep = node.flag("upper", true) ? isa::Triangle::kUpper : isa::Triangle::kLower;
  const Operand diagonal = node.has_input(1) ? node.size(1) : isa::number(0);
  node.set_output(0, node.emit<isa::Triangular>(
                         {node.input(0)}, {{"diagonal", diagonal}, {"keep", isa::choice(keep)}}));
}

}  // namespace pliant::onnx
