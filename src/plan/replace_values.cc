#include "plan/replace_values.h"

#include "plan/operands.h"

namespace pliant::plan {

void Replacements::apply(isa::Instruction& instruction) const {
  for_each_use(instruction, [this](isa::Operand& operand) {
    if (operand.form == isa::Form::kRegister) {
      operand.number = find(static_cast<int>(operand.number));
    }
  });
}

void Replacements::apply_to_live_outs(Graph& graph) const {
  for (LiveOut& out : graph.live_outs) {
    if (out.kind != LiveOut::Kind::kSizeRegister) {
      out.value = find(out.value);
    }
  }
}

}  // namespace pliant::plan
