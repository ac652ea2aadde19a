#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/attributes.h"
#include "onnx/emitter.h"

namespace pliant::onnx {

/// One node of a model as its converter sees it: inputs that are values of the program already,
/// attributes with their defaults, and a place for the results. Mistakes in the model are noted
/// with the emitter and stick; see Emitter.
class Node {
 public:
  Node(std::string_view op, std::int64_t opset, std::vector<Operand> inputs,
       std::vector<bool> wanted, Attributes attributes, Emitter& emitter)
      : op_(op),
        opset_(opset),
        inputs_(std::move(inputs)),
        wanted_(std::move(wanted)),
        results_(wanted_.size()),
        attributes_(attributes),
        emitter_(emitter) {}

  [[nodiscard]] std::string_view op() const { return op_; }
  /// Version of the node's domain.
  [[nodiscard]] std::int64_t opset() const { return opset_; }

  // ---- inputs ----
  [[nodiscard]] int input_count() const { return static_cast<int>(inputs_.size()); }
  [[nodiscard]] bool has_input(int index) const;
  /// A required input.
  Operand input(int index);
  /// An input that may be left out: absent then.
  [[nodiscard]] Operand optional_input(int index) const;
  /// All inputs, of which none may be left out.
  std::vector<Operand> all_inputs();
  /// A required or optional input as a list of sizes: numbers if it is a constant.
  Operand sizes(int index);
  Operand optional_sizes(int index);
  /// An input of one element as a size; other types than i64 and i32 are cast.
  Operand size(int index);

  // ---- attributes ----
  [[nodiscard]] bool has_attribute(std::string_view name) const {
    return attributes_.find(name) != nullptr;
  }
  std::int64_t integer(std::string_view name, std::int64_t default_value);
  std::int64_t required_integer(std::string_view name);
  double real(std::string_view name, double default_value);
  bool flag(std::string_view name, bool default_value) {
    return integer(name, default_value ? 1 : 0) != 0;
  }
  std::string text(std::string_view name, std::string_view default_value);
  /// Lists are absent operands when the attribute is missing.
  Operand integers(std::string_view name);
  Operand reals(std::string_view name);
  std::optional<std::vector<std::int64_t>> integer_list(std::string_view name);
  std::optional<std::vector<std::string>> texts(std::string_view name);
  /// A constant from a tensor attribute; absent when it is missing.
  Operand tensor(std::string_view name);
  /// An element type from an attribute with ONNX's number.
  DType element_type(std::string_view name, DType default_value);
  /// The choice that a text attribute names; anything else is an error.
  template <class Set, class Table>
  Operand choice(std::string_view name, std::string_view default_word, const Table& table) {
    const std::string word = text(name, default_word);
    for (const auto& [key, value] : table) {
      if (key == word) {
        return isa::choice(static_cast<Set>(value));
      }
    }
    refuse_text(name, word);
    return isa::choice(Set{});
  }

  // ---- what is known ----
  [[nodiscard]] DType dtype(const Operand& value) const { return emitter_.dtype(value); }
  [[nodiscard]] std::optional<int> rank(const Operand& value) const { return emitter_.rank(value); }
  /// The rank, or an error that it must be known.
  int known_rank(const Operand& value);
  [[nodiscard]] Emitter& emitter() { return emitter_; }

  // ---- results ----
  template <class Row>
  // NOLINTNEXTLINE(performance-unnecessary-value-param): both are moved, unseen in a template
  Operand emit(std::vector<Operand> operands, Emitter::Fields fields = {}) {
    return emitter_.emit(Row::kOpcode, std::move(operands), std::move(fields));
  }
  [[nodiscard]] int output_count() const { return static_cast<int>(wanted_.size()); }
  /// False for an output that has no name or that nobody reads.
  [[nodiscard]] bool wants_output(int index) const;
  void set_output(int index, Operand value);
  /// A register for an output, or absent when nobody reads it.
  Operand output_register(int index);
  [[nodiscard]] const std::vector<Operand>& results() const { return results_; }

  // ---- refusals ----
  void refuse(ErrorCode code, std::string message);
  void unsupported(std::string message) { refuse(ErrorCode::kUnsupported, std::move(message)); }

 private:
  void refuse_text(std::string_view name, const std::string& word);

  std::string_view op_;
  std::int64_t opset_;
  std::vector<Operand> inputs_;
  std::vector<bool> wanted_;
  std::vector<Operand> results_;
  Attributes attributes_;
  Emitter& emitter_;
};

}  // namespace pliant::onnx
