#include <array>
#include <utility>

#include "onnx/converters.h"

// Picking elements by index or by value, and writing them back.

namespace pliant::onnx {
namespace {

Operand reduction(Node& node) {
  static constexpr std::array kReductions = {
      std::pair{"none", isa::Reduction::kNone}, std::pair{"add", isa::Reduction::kAdd},
      std::pair{"mul", isa::Reduction::kMultiply}, std::pair{"max", isa::Reduction::kMaximum},
      std::pair{"min", isa::Reduction::kMinimum}};
  return node.choice<isa::Reduction>("reduction", "none", kReductions);
}

void top_k(Node& node, const Operand& k) {
  const Operand x = node.input(0);
  const auto order = node.flag("largest", true) ? isa::Order::kLargest : isa::Order::kSmallest;
  node.emitter().emit_with_results(isa::Opcode::kTopK,
                                   {node.output_register(0), node.output_register(1), x, k},
                                   {{"axis", isa::number(node.integer("axis", -1))},
                                    {"order", isa::choice(order)},
                                    {"sorted", isa::flag(node.flag("sorted", true))}});
}

}  // namespace

void convert_gather(Node& node, isa::Opcode opcode) {
  node.set_output(0, node.emitter().emit(opcode, {node.input(0), node.input(1)},
                                         {{"axis", isa::number(node.integer("axis", 0))}}));
}

void convert_gather_nd(Node& node) {
  node.set_output(
      0, node.emit<isa::GatherNd>({node.input(0), node.input(1)},
                                  {{"batch_dims", isa::number(node.integer("batch_dims", 0))}}));
}

void convert_scatter_elements(Node& node) {
  node.set_output(
      0, node.emit<isa::ScatterElements>(
             {node.input(0), node.input(1), node.input(2)},
             {{"axis", isa::number(node.integer("axis", 0))}, {"reduction", reduction(node)}}));
}

void convert_scatter_nd(Node& node) {
  node.set_output(0, node.emit<isa::ScatterNd>({node.input(0), node.input(1), node.input(2)},
                                               {{"reduction", reduction(node)}}));
}

void convert_non_zero(Node& node) {
  node.set_output(0, node.emit<isa::NonZero>({node.input(0)}));
}

void convert_compress(Node& node) {
  const Operand axis =
      node.has_attribute("axis") ? isa::number(node.integer("axis", 0)) : Operand{};
  node.set_output(0, node.emit<isa::Compress>({node.input(0), node.input(1)}, {{"axis", axis}}));
}

void convert_top_k_attribute(Node& node) {
  top_k(node, isa::number(node.required_integer("k")));
}

void convert_top_k_input(Node& node) {
  top_k(node, node.size(1));
}

void convert_non_max_suppression(Node& node) {
  const auto form =
      node.flag("center_point_box", false) ? isa::BoxForm::kCenter : isa::BoxForm::kCorners;
  const Operand limit = node.has_input(2) ? node.size(2) : isa::number(0);
  node.set_output(0, node.emit<isa::NonMaxSuppression>({node.input(0), node.input(1)},
                                                       {{"limit", limit},
                                                        {"overlap", node.optional_input(3)},
                                                        {"threshold", node.optional_input(4)},
                                                        {"form", isa::choice(form)}}));
}

}  // namespace pliant::onnx
