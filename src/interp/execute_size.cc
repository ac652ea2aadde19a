#include "interp/frame.h"
#include "interp/handlers.h"

namespace pliant::interp {

// The result of every Size row is what its rule says; row operand 0 is the size register.
Status execute_size(Run& run, const Step& step) {
  semantics::InferenceContext& inference = run.frame.inference(*step.instruction);
  PLIANT_RETURN_IF_ERROR(inference.infer());
  const semantics::Extent value = inference.size_result();
  if (!value.is_number()) {
    return make_error(ErrorCode::kResourceExhausted, "{}: the result does not fit into 64 bits",
                      isa::info(step.instruction->opcode).mnemonic);
  }
  const isa::Operand& result = step.instruction->operands[0];
  if (result.given()) {
    run.frame.sizes[static_cast<std::size_t>(result.number)] = value.number();
  }
  return {};
}

}  // namespace pliant::interp
