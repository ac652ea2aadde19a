#include <array>
#include <utility>

#include "onnx/converters.h"

// Elementwise operators: one instruction each, or a chain of a binary one.

namespace pliant::onnx {
namespace {

template <class Row>
void convert_with_alpha(Node& node, double default_alpha) {
  node.set_output(0, node.emit<Row>({node.input(0)},
                                    {{"alpha", isa::real(node.real("alpha", default_alpha))}}));
}

/// Before version 7 shapes were matched by attributes; a file that still has them is older than it
/// says.
bool has_old_broadcast(Node& node) {
  if (node.has_attribute("broadcast") || node.has_attribute("consumed_inputs")) {
    node.unsupported(
        "the attributes broadcast and axis of operator sets before 7 are not supported");
    return true;
  }
  return false;
}

Operand fold(Node& node, isa::Opcode opcode) {
  const std::vector<Operand> inputs = node.all_inputs();
  if (inputs.empty()) {
    return {};
  }
  Operand total = inputs.front();
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    total = node.emitter().emit(opcode, {total, inputs[i]});
  }
  return total;
}

}  // namespace

void convert_unary(Node& node, isa::Opcode opcode) {
  node.set_output(0, node.emitter().emit(opcode, {node.input(0)}));
}

void convert_celu(Node& node) {
  convert_with_alpha<isa::ElementwiseCelu>(node, 1.0);
}
void convert_elu(Node& node) {
  convert_with_alpha<isa::ElementwiseElu>(node, 1.0);
}
void convert_leaky_relu(Node& node) {
  convert_with_alpha<isa::ElementwiseLeakyRelu>(node, 0.01);
}
void convert_thresholded_relu(Node& node) {
  convert_with_alpha<isa::ElementwiseThresholdedRelu>(node, 1.0);
}

void convert_hard_sigmoid(Node& node) {
  node.set_output(0, node.emit<isa::ElementwiseHardSigmoid>(
                         {node.input(0)}, {{"alpha", isa::real(node.real("alpha", 0.2))},
                                           {"beta", isa::real(node.real("beta", 0.5))}}));
}

void convert_selu(Node& node) {
  constexpr double kAlpha = 1.67326319217681884765625;  // the defaults of the standard, as floats
  constexpr double kGamma = 1.05070102214813232421875;
  node.set_output(0, node.emit<isa::ElementwiseSelu>(
                         {node.input(0)}, {{"alpha", isa::real(node.real("alpha", kAlpha))},
                                           {"beta", isa::real(node.real("gamma", kGamma))}}));
}

void convert_shrink(Node& node) {
  node.set_output(0, node.emit<isa::ElementwiseShrink>(
                         {node.input(0)}, {{"alpha", isa::real(node.real("lambd", 0.5))},
                                           {"beta", isa::real(node.real("bias", 0.0))}}));
}

void convert_gelu(Node& node) {
  static constexpr std::array kForms = {std::pair{"none", isa::GeluForm::kExact},
                                        std::pair{"tanh", isa::GeluForm::kTanh}};
  node.set_output(0, node.emit<isa::ElementwiseGelu>(
                         {node.input(0)},
                         {{"form", node.choice<isa::GeluForm>("approximate", "none", kForms)}}));
}

void convert_is_inf(Node& node) {
  const bool negative = node.flag("detect_negative", true);
  const bool positive = node.flag("detect_positive", true);
  const isa::Infinity sign = negative && positive ? isa::Infinity::kBoth
                             : positive           ? isa::Infinity::kPositive
                             : negative           ? isa::Infinity::kNegative
                                                  : isa::Infinity::kNeither;
  node.set_output(0,
                  node.emit<isa::ElementwiseIsInf>({node.input(0)}, {{"sign", isa::choice(sign)}}));
}

void convert_binary(Node& node, isa::Opcode opcode) {
  if (!has_old_broadcast(node)) {
    node.set_output(0, node.emitter().emit(opcode, {node.input(0), node.input(1)}));
  }
}

void convert_bit_shift(Node& node) {
  static constexpr std::array kDirections = {
      std::pair{"LEFT", isa::Opcode::kElementwiseShiftLeft},
      std::pair{"RIGHT", isa::Opcode::kElementwiseShiftRight}};
  const std::string direction = node.text("direction", "");
  for (const auto& [word, opcode] : kDirections) {
    if (direction == word) {
      node.set_output(0, node.emitter().emit(opcode, {node.input(0), node.input(1)}));
      return;
    }
  }
  node.refuse(ErrorCode::kCorrupt, "direction is neither LEFT nor RIGHT");
}

void convert_mod(Node& node) {
  const isa::Modulus sign =
      node.flag("fmod", false) ? isa::Modulus::kFollowsDividend : isa::Modulus::kFollowsDivisor;
  node.set_output(0, node.emit<isa::ElementwiseModulo>({node.input(0), node.input(1)},
                                                       {{"sign", isa::choice(sign)}}));
}

void convert_variadic(Node& node, isa::Opcode opcode) {
  if (!has_old_broadcast(node)) {
    node.set_output(0, fold(node, opcode));
  }
}

void convert_mean(Node& node) {
  const Operand sum = fold(node, isa::Opcode::kElementwiseAdd);
  if (node.emitter().failed() || node.input_count() == 1) {
    node.set_output(0, sum);
    return;
  }
  const Operand count = node.emitter().scalar(node.dtype(sum), node.input_count());
  node.set_output(0, node.emit<isa::ElementwiseDivide>({sum, count}));
}

void convert_where(Node& node) {
  node.set_output(0,
                  node.emit<isa::ElementwiseSelect>({node.input(0), node.input(1), node.input(2)}));
}

void convert_clip_attributes(Node& node) {
  const Operand x = node.input(0);
  const auto bound = [&](const char* name) {
    return node.has_attribute(name) ? node.emitter().scalar(node.dtype(x), node.real(name, 0.0))
                                    : Operand{};
  };
  if (!node.emitter().failed()) {
    node.set_output(
        0, node.emit<isa::ElementwiseClip>({x}, {{"low", bound("min")}, {"high", bound("max")}}));
  }
}

void convert_clip_inputs(Node& node) {
  node.set_output(
      0, node.emit<isa::ElementwiseClip>(
             {node.input(0)}, {{"low", node.optional_input(1)}, {"high", node.optional_input(2)}}));
}

void convert_cast(Node& node) {
  if (!node.has_attribute("to")) {
    node.refuse(ErrorCode::kCorrupt, "a required attribute is missing: to");
  }
  const Operand to = isa::type(node.element_type("to", DType::kF32));
  node.set_output(0, node.emit<isa::Cast>({node.input(0)}, {{"to", to}}));
}

void convert_cast_like(Node& node) {
  const Operand like = node.input(1);
  if (!node.emitter().failed()) {
    node.set_output(0,
                    node.emit<isa::Cast>({node.input(0)}, {{"to", isa::type(node.dtype(like))}}));
  }
}

}  // namespace pliant::onnx
