#include "plan/compute_sizes.h"

#include <algorithm>
#include <optional>

#include "isa/info.h"
#include "plan/operands.h"
#include "plan/run_facts.h"

namespace pliant::plan {
namespace {

bool has_shape(const Plan& plan, int value, const std::vector<std::int64_t>& slots,
               const semantics::TensorFacts& facts) {
  const std::vector<Slot>& expected = plan.values[static_cast<std::size_t>(value)].shape;
  if (!facts.rank_known || facts.shape.size() != expected.size()) {
    return false;
  }
  for (std::size_t axis = 0; axis < expected.size(); ++axis) {
    if (!facts.shape[axis].is(expected[axis].value(slots))) {
      return false;
    }
  }
  return true;
}

bool agrees(const Plan& plan, const isa::Instruction& rule, const std::vector<std::int64_t>& slots,
            const semantics::InferenceContext& context) {
  const isa::InstructionInfo& row = isa::info(rule.opcode);
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (!row.operands[i].is_definition()) {
      continue;
    }
    const isa::Operand& operand = rule.operands[i];
    const bool is_list = operand.form == isa::Form::kList;
    const std::size_t count = is_list ? operand.list.size() : 1;
    for (std::size_t part = 0; part < count; ++part) {
      const int value = value_in(is_list ? operand.list[part] : operand);
      if (value >= 0 && !has_shape(plan, value, slots,
                                   context.result(static_cast<int>(i), static_cast<int>(part)))) {
        return false;
      }
    }
  }
  return true;
}

bool rules_agree(const Plan& plan, const std::vector<std::int64_t>& slots) {
  RunFacts facts(plan, slots);
  std::optional<semantics::InferenceContext> context;
  for (const isa::Instruction& rule : plan.rules) {
    if (context) {
      context->reset(rule);
    } else {
      context.emplace(rule, facts);
    }
    if (!context->infer() || !agrees(plan, rule, slots, *context)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool compute_sizes(const Plan& plan, shapes::Signature signature,
                   std::vector<std::int64_t>& slots) {
  slots.resize(plan.shape_program.slot_count());
  if (!plan.shape_program.evaluate(signature, slots)) {
    return false;
  }
  return std::all_of(plan.conditions.begin(), plan.conditions.end(),
                     [&](const auto& condition) {
                       return condition.second.contains(condition.first.value(slots));
                     }) &&
         rules_agree(plan, slots);
}

}  // namespace pliant::plan
