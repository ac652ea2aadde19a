#include "onnx/converters.h"

// Reductions, running sums, and functions of rows.

namespace pliant::onnx {
namespace {

/// The table's reductions are for numbers; a boolean is reduced as one (largest: any, smallest:
/// all).
Operand reduce(Node& node, isa::Opcode opcode, Operand axes, isa::EmptyAxes empty) {
  const Operand x = node.input(0);
  const Operand keepdims = isa::flag(node.flag("keepdims", true));
  Emitter& emitter = node.emitter();
  const Emitter::Fields fields = {
      {"axis", std::move(axes)}, {"keepdims", keepdims}, {"empty", isa::choice(empty)}};
  if (node.dtype(x) != DType::kBool) {
    return emitter.emit(opcode, {x}, fields);
  }
  const Operand number = node.emit<isa::Cast>({x}, {{"to", isa::type(DType::kU8)}});
  const Operand reduced = emitter.emit(opcode, {number}, fields);
  return node.emit<isa::Cast>({reduced}, {{"to", isa::type(DType::kBool)}});
}

}  // namespace

void convert_reduce_attribute(Node& node, isa::Opcode opcode) {
  node.set_output(0, reduce(node, opcode, node.integers("axes"), isa::EmptyAxes::kAll));
}

void convert_reduce_input(Node& node, isa::Opcode opcode) {
  const bool keep_all = node.flag("noop_with_empty_axes", false);
  Operand axes = node.optional_sizes(1);
  if (keep_all && !axes.given()) {
    axes = isa::list({});  // absent means all axes to the instruction, whatever `empty` says
  }
  node.set_output(0, reduce(node, opcode, std::move(axes),
                            keep_all ? isa::EmptyAxes::kNone : isa::EmptyAxes::kAll));
}

void convert_arg_reduce(Node& node, isa::Opcode opcode) {
  const isa::Tie tie = node.flag("select_last_index", false) ? isa::Tie::kLast : isa::Tie::kFirst;
  node.set_output(0, node.emitter().emit(opcode, {node.input(0)},
                                         {{"axis", isa::number(node.integer("axis", 0))},
                                          {"keepdims", isa::flag(node.flag("keepdims", true))},
                                          {"tie", isa::choice(tie)}}));
}

void convert_cumulative_sum(Node& node) {
  node.set_output(
      0, node.emit<isa::CumulativeSum>({node.input(0), node.size(1)},
                                       {{"exclusive", isa::flag(node.flag("exclusive", false))},
                                        {"reverse", isa::flag(node.flag("reverse", false))}}));
}

void convert_row_function(Node& node, isa::Opcode opcode) {
  node.set_output(0, node.emitter().emit(opcode, {node.input(0)},
                                         {{"axis", isa::number(node.integer("axis", -1))}}));
}

/// Until version 12 the rows are those of x flattened to a matrix at the axis.
void convert_flattened_row_function(Node& node, isa::Opcode opcode) {
  const Operand x = node.input(0);
  const std::int64_t axis = node.integer("axis", 1);
  const auto rank = node.rank(x);
  if (axis == -1 || (rank && axis == *rank - 1)) {
    node.set_output(0, node.emitter().emit(opcode, {x}, {{"axis", isa::number(-1)}}));
    return;
  }
  const Operand matrix = node.emit<isa::Flatten>({x}, {{"axis", isa::number(axis)}});
  const Operand result = node.emitter().emit(opcode, {matrix}, {{"axis", isa::number(-1)}});
  node.set_output(0, node.emit<isa::Reshape>({result, node.emit<isa::ShapeOf>({x})},
                                             {{"zero", isa::choice(isa::ZeroExtent::kLiteral)}}));
}

}  // namespace pliant::onnx
