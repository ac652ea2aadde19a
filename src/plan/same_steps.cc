#include "plan/same_steps.h"

#include <algorithm>

namespace pliant::plan {
namespace {

bool same_input(const StepInput& a, const StepInput& b) {
  return a.operand == b.operand && a.value == b.value;
}

bool same_output(const StepOutput& a, const StepOutput& b) {
  return a.operand == b.operand && a.part == b.part && a.value == b.value;
}

bool same_instruction(const StepInstruction& a, const StepInstruction& b) {
  return a.instruction.opcode == b.instruction.opcode &&
         std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(),
                    same_input) &&
         std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(),
                    same_output);
}

bool same_step(const Step& a, const Step& b) {
  return a.group.has_value() == b.group.has_value() && a.rows_with_next == b.rows_with_next &&
         std::equal(a.instructions.begin(), a.instructions.end(), b.instructions.begin(),
                    b.instructions.end(), same_instruction);
}

}  // namespace

bool same_steps(const Plan& a, const Plan& b) {
  return std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), same_step) &&
         std::equal(a.live_outs.begin(), a.live_outs.end(), b.live_outs.begin(), b.live_outs.end(),
                    [](const LiveOut& x, const LiveOut& y) {
                      return x.kind == y.kind && x.index == y.index && x.value == y.value;
                    });
}

}  // namespace pliant::plan
