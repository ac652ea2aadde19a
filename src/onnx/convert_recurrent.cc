#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "onnx/converters.h"

// LSTM, GRU and RNN. The instructions know layout 0 (steps first) alone; layout 1 is transposed.

namespace pliant::onnx {
namespace {

constexpr std::array kActivations = {
    std::pair{"sigmoid", isa::Activation::kSigmoid},
    std::pair{"tanh", isa::Activation::kTanh},
    std::pair{"relu", isa::Activation::kRelu},
    std::pair{"affine", isa::Activation::kAffine},
    std::pair{"leakyrelu", isa::Activation::kLeakyRelu},
    std::pair{"thresholdedrelu", isa::Activation::kThresholdedRelu},
    std::pair{"scaledtanh", isa::Activation::kScaledTanh},
    std::pair{"hardsigmoid", isa::Activation::kHardSigmoid},
    std::pair{"elu", isa::Activation::kElu},
    std::pair{"softsign", isa::Activation::kSoftsign},
    std::pair{"softplus", isa::Activation::kSoftplus}};
constexpr std::array kDirections = {std::pair{"forward", isa::Direction::kForward},
                                    std::pair{"reverse", isa::Direction::kReverse},
                                    std::pair{"bidirectional", isa::Direction::kBoth}};

/// Names of activations are matched without regard to case, as the standard says.
Operand activation(Node& node, std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  for (const auto& [key, value] : kActivations) {
    if (word == key) {
      return isa::choice(value);
    }
  }
  node.unsupported("unknown activation: '" + word + "'");
  return {};
}

Emitter::Fields recurrent_fields(Node& node) {
  Emitter::Fields fields = {
      {"direction", node.choice<isa::Direction>("direction", "forward", kDirections)},
      {"alphas", node.reals("activation_alpha")},
      {"betas", node.reals("activation_beta")}};
  if (const auto words = node.texts("activations")) {
    std::vector<Operand> choices;
    for (const std::string& word : *words) {
      choices.push_back(activation(node, word));
    }
    fields.push_back({"activations", isa::list(std::move(choices))});
  }
  if (node.has_attribute("clip")) {
    fields.push_back({"clip", isa::real(node.real("clip", 0.0))});
  }
  return fields;
}

Operand transposed(Node& node, const Operand& x, const std::vector<std::int64_t>& perm) {
  return x.given() ? node.emit<isa::Transpose>({x}, {{"perm", isa::numbers(perm)}}) : x;
}

/// Emits the instruction with its results in the layout that the node asks for. `state_inputs` are
/// the positions of initial states, by field.
void recurrent(Node& node, isa::Opcode opcode, int results,
               const std::vector<std::pair<const char*, int>>& state_inputs,
               Emitter::Fields fields) {
  const bool batch_first = node.flag("layout", false);
  const auto state = [&](int index) {
    const Operand value = node.optional_input(index);
    return batch_first ? transposed(node, value, {1, 0, 2}) : value;
  };
  std::vector<Operand> operands;
  operands.reserve(static_cast<std::size_t>(results) + 3);
  for (int i = 0; i < results; ++i) {
    operands.push_back(node.wants_output(i) ? node.emitter().new_tensor() : Operand{});
  }
  const std::vector<Operand> outputs = operands;
  const Operand x = node.input(0);
  operands.push_back(batch_first ? transposed(node, x, {1, 0, 2}) : x);
  operands.push_back(node.input(1));
  operands.push_back(node.input(2));
  fields.push_back({"bias", node.optional_input(3)});
  fields.push_back({"lengths", node.optional_input(4)});
  for (const auto& [field, index] : state_inputs) {
    fields.push_back({field, state(index)});
  }
  node.emitter().emit_with_results(opcode, std::move(operands), std::move(fields));
  for (int i = 0; i < results; ++i) {
    const Operand& value = outputs[static_cast<std::size_t>(i)];
    if (batch_first) {
      node.set_output(
          i, i == 0 ? transposed(node, value, {2, 0, 1, 3}) : transposed(node, value, {1, 0, 2}));
    } else {
      node.set_output(i, value);
    }
  }
}

}  // namespace

void convert_lstm(Node& node) {
  Emitter::Fields fields = recurrent_fields(node);
  fields.push_back({"coupled", isa::flag(node.flag("input_forget", false))});
  fields.push_back({"peephole", node.optional_input(7)});
  recurrent(node, isa::Opcode::kLstm, 3, {{"initial_h", 5}, {"initial_c", 6}}, std::move(fields));
}

void convert_gru(Node& node) {
  Emitter::Fields fields = recurrent_fields(node);
  fields.push_back({"linear_before_reset", isa::flag(node.flag("linear_before_reset", false))});
  recurrent(node, isa::Opcode::kGru, 2, {{"initial_h", 5}}, std::move(fields));
}

void convert_rnn(Node& node) {
  recurrent(node, isa::Opcode::kRnn, 2, {{"initial_h", 5}}, recurrent_fields(node));
}

}  // namespace pliant::onnx
