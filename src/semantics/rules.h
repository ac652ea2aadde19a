#pragma once

#include "semantics/inference_context.h"

namespace pliant::semantics {

/// A shape rule: checks ranks and extents and sets the results of its context.
using Rule = Status (*)(InferenceContext&);

// One function per name in the Rule column of instructions.def, defined in the file of its group
// (elementwise_rules.cc, matmul_rules.cc, …): infer_MatMul and so on.
#define INSTRUCTION(Name, mnemonic, code, Class, RuleName, ...) \
  Status infer_##RuleName(InferenceContext&);
#include "isa/instructions.def"

/// The rule of a row.
[[nodiscard]] Rule rule_of(isa::Opcode opcode);

}  // namespace pliant::semantics
