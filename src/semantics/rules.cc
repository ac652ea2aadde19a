#include "semantics/rules.h"

namespace pliant::semantics {

/// Rows without tensor results and without anything to check.
Status infer_None(InferenceContext&) {
  return {};
}

Rule rule_of(isa::Opcode opcode) {
  static constexpr Rule kRules[] = {
#define INSTRUCTION(Name, mnemonic, code, Class, RuleName, ...) &infer_##RuleName,
#include "isa/instructions.def"
  };
  return kRules[isa::row_of(opcode)];
}

}  // namespace pliant::semantics
