#include "bind/operator.h"

namespace pliant::bind {

const Operator kNone{};

const Operator& operator_of(isa::Opcode opcode) {
  static const Operator* const kOperators[] = {
#define INSTRUCTION(Name, mnemonic, code, Class, Rule, OperatorName, ...) &k##OperatorName,
#include "isa/instructions.def"
  };
  return *kOperators[isa::row_of(opcode)];
}

}  // namespace pliant::bind
