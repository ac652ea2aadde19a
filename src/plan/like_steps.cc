#include "plan/like_steps.h"

#include <algorithm>
#include <unordered_map>

#include "isa/info.h"
#include "plan/operands.h"
#include "shapes/signature.h"

namespace pliant::plan {
namespace {

bool same_slots(const std::vector<Slot>& a, const std::vector<Slot>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Slot& x, const Slot& y) {
    return x.index == y.index && (x.index >= 0 || x.number == y.number);
  });
}

class LikeSteps {
 public:
  explicit LikeSteps(Plan& plan) : plan_(plan) {}

  void find() {
    std::unordered_map<std::uint64_t, int> latest;
    plan_.like_steps.resize(plan_.steps.size());
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      const Step& step = plan_.steps[i];
      if (!may_be_like(step)) {
        continue;
      }
      LikeStep& like_step = plan_.like_steps[i];
      add_values(step.instructions[0], like_step);
      const auto [entry, is_first] = latest.try_emplace(hash(step), static_cast<int>(i));
      if (!is_first && alike(plan_.steps[static_cast<std::size_t>(entry->second)], step)) {
        like_step.like = entry->second;
      }
      entry->second = static_cast<int>(i);
    }
  }

 private:
  [[nodiscard]] const PlanValue& value(int index) const {
    return plan_.values[static_cast<std::size_t>(index)];
  }

  [[nodiscard]] bool may_be_like(const Step& step) const {
    if (step.op == nullptr || step.group || step.is_random || step.op->check != nullptr) {
      return false;
    }
    const std::vector<StepInput>& inputs = step.instructions[0].inputs;
    return inputs.size() <= LikeStep::kMaxInputs &&
           step.instructions[0].outputs.size() <= LikeStep::kMaxResults &&
           std::all_of(inputs.begin(), inputs.end(), [&](const StepInput& input) {
             return input.value >= 0 && value(input.value).kind != Value::Kind::kConstant;
           });
  }

  void add_values(const StepInstruction& part, LikeStep& like_step) {
    like_step.first = static_cast<int>(plan_.like_values.size());
    like_step.inputs = static_cast<int>(part.inputs.size());
    like_step.results = static_cast<int>(part.outputs.size());
    for (const StepInput& input : part.inputs) {
      plan_.like_values.push_back(input.value);
    }
    for (const StepOutput& output : part.outputs) {
      plan_.like_values.push_back(output.wanted ? output.value : -1);
    }
  }

  /// Equal for steps that are alike.
  [[nodiscard]] std::uint64_t hash(const Step& step) const {
    const StepInstruction& part = step.instructions[0];
    std::uint64_t seed = static_cast<std::uint64_t>(part.instruction.opcode);
    const auto add = [&](int index) {
      for (const Slot& slot : value(index).shape) {
        seed = shapes::mix_hash(
            seed, static_cast<std::uint64_t>(slot.index < 0 ? slot.number : -1 - slot.index));
      }
    };
    for (const StepInput& input : part.inputs) {
      add(input.value);
    }
    for (const StepOutput& output : part.outputs) {
      if (output.value >= 0) {
        add(output.value);
      }
    }
    return seed;
  }

  [[nodiscard]] bool alike(const Step& a, const Step& b) const {
    const StepInstruction& x = a.instructions[0];
    const StepInstruction& y = b.instructions[0];
    return same_attributes(x.instruction, y.instruction) &&
           std::equal(x.inputs.begin(), x.inputs.end(), y.inputs.begin(), y.inputs.end(),
                      [&](const StepInput& p, const StepInput& q) {
                        return p.operand == q.operand && p.dies == q.dies &&
                               same_type(p.value, q.value);
                      }) &&
           std::equal(x.outputs.begin(), x.outputs.end(), y.outputs.begin(), y.outputs.end(),
                      [&](const StepOutput& p, const StepOutput& q) {
                        return p.operand == q.operand && p.wanted == q.wanted &&
                               same_type(p.value, q.value);
                      });
  }

  /// Everything but the tensors.
  static bool same_attributes(const isa::Instruction& a, const isa::Instruction& b) {
    if (a.opcode != b.opcode) {
      return false;
    }
    const isa::InstructionInfo& row = isa::info(a.opcode);
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      const bool is_tensor = reads_tensors(row.operands[i].kind) || row.operands[i].is_definition();
      if (!is_tensor && !(a.operands[i] == b.operands[i])) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool same_type(int a, int b) const {
    if (a < 0 || b < 0) {
      return a < 0 && b < 0;
    }
    return value(a).dtype == value(b).dtype && same_slots(value(a).shape, value(b).shape);
  }

  Plan& plan_;
};

}  // namespace

void find_like_steps(Plan& plan) {
  LikeSteps(plan).find();
}

}  // namespace pliant::plan
