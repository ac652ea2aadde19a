#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/info.h"
#include "semantics/inference_context.h"

namespace pliant::testing {

/// What a verifier or plan compiler may know: tensors with symbolic extents, values only where given.
/// Registers are numbered in the order in which they are added.
class PartialKnowledge final : public semantics::Knowledge {
 public:
  semantics::Extent symbol(const std::string& name) { return pool_.new_symbol(name); }

  isa::Operand add(DType dtype, const semantics::ExtentShape& shape) {
    facts_.push_back({dtype, true, shape});
    return isa::reg(static_cast<std::int64_t>(facts_.size()) - 1);
  }
  isa::Operand add_of_unknown_rank(DType dtype) {
    facts_.push_back({dtype, false, {}});
    return isa::reg(static_cast<std::int64_t>(facts_.size()) - 1);
  }
  /// An i64 vector (or, without extents, a size) whose elements are known.
  isa::Operand add_values(const semantics::ExtentList& values) {
    const isa::Operand operand =
        add(DType::kI64, {semantics::Extent(static_cast<std::int64_t>(values.size()))});
    values_[operand.number] = values;
    return operand;
  }
  isa::Operand add_size(const semantics::Extent& value) {
    const isa::Operand operand = add(DType::kI64, {});
    values_[operand.number] = {value};
    return operand;
  }

  semantics::TensorFacts tensor(const isa::Operand& operand) const override {
    if (operand.form != isa::Form::kRegister) {
      return {operand.form == isa::Form::kReal ? DType::kF32 : DType::kI64, true, {}};
    }
    return facts_[static_cast<std::size_t>(operand.number)];
  }
  semantics::Extent size(const isa::Operand& operand) const override {
    return operand.form == isa::Form::kRegister ? values_.at(operand.number)[0] : operand.number;
  }
  std::optional<semantics::ExtentList> integers(const isa::Operand& operand) const override {
    if (operand.form != isa::Form::kRegister) {
      return semantics::ExtentList{operand.number};
    }
    const auto found = values_.find(operand.number);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::vector<double>> reals(const isa::Operand& operand) const override {
    return operand.form == isa::Form::kReal ? std::optional(std::vector{operand.real})
                                            : std::nullopt;
  }
  semantics::Extent unknown_extent() override { return pool_.new_symbol("?"); }
  semantics::Extent measured(int) override { return pool_.new_symbol("found"); }
  void note_equal(semantics::Extent a, semantics::Extent b) override {
    notes.push_back(to_string(a) + " = " + to_string(b));
  }

  std::vector<std::string> notes;

 private:
  semantics::ExpressionPool pool_;
  std::vector<semantics::TensorFacts> facts_;
  std::map<std::int64_t, semantics::ExtentList> values_;
};

/// The shape that an instruction's first result has, as text; "?" when its rank is not known, and
/// "error: …" when the rule refuses.
class RuleQuestion {
 public:
  explicit RuleQuestion(isa::Opcode opcode) {
    instruction_.opcode = opcode;
    for (const isa::OperandInfo& row : isa::info(opcode).operands) {
      isa::Operand operand;
      operand.form = row.default_value.form;
      operand.number = row.default_value.number;
      operand.real = row.default_value.real;
      instruction_.operands.push_back(operand);
    }
    instruction_.operands[0] = isa::reg(0);
  }
  RuleQuestion& set(std::string_view field, isa::Operand value) {
    const int index = isa::operand_index(isa::info(instruction_.opcode), field);
    instruction_.operands[static_cast<std::size_t>(index)] = std::move(value);
    return *this;
  }
  std::string ask(semantics::Knowledge& knowledge, int part = 0) const {
    semantics::InferenceContext context(instruction_, knowledge);
    if (auto status = context.infer(); !status) {
      return "error: " + status.error().message;
    }
    const semantics::TensorFacts& facts = context.result(0, part);
    return facts.rank_known ? to_string(facts.shape) : "?";
  }
  std::string ask_size(semantics::Knowledge& knowledge) const {
    semantics::InferenceContext context(instruction_, knowledge);
    if (auto status = context.infer(); !status) {
      return "error: " + status.error().message;
    }
    return to_string(context.size_result());
  }

 private:
  isa::Instruction instruction_;
};

}  // namespace pliant::testing
