#include "interp/failure.h"

#include <fmt/format.h>

#include "interp/materialise.h"
#include "isa/info.h"

namespace pliant::interp {
namespace {

std::string describe_source(const Run& run, const TensorSource& source) {
  switch (source.kind) {
    case TensorSource::Kind::kRegister:
    case TensorSource::Kind::kConstant: {
      const TensorView& view = source.kind == TensorSource::Kind::kRegister
                                   ? run.frame.tensor(source.index).value.view
                                   : run.program.constant(source.index).view;
      return fmt::format("{}{}", name(view.dtype), to_string(view.shape));
    }
    case TensorSource::Kind::kSize:
    case TensorSource::Kind::kSymbol:
      break;
  }
  return std::to_string(scalar_value(run, source));
}

}  // namespace

Error at_instruction(Error error, const Run& run, std::size_t instruction) {
  const Step& step = run.program.steps()[instruction];
  const isa::InstructionInfo& row = isa::info(step.instruction->opcode);
  const char* separator = "; ";
  for (const TensorSource& source : run.program.sources(step)) {
    error.message += fmt::format("{}{} is {}", separator,
                                 row.operands[static_cast<std::size_t>(source.operand)].field,
                                 describe_source(run, source));
    separator = ", ";
  }
  if (error.where.empty()) {
    error.where = run.program.program().describe(instruction);
  }
  return error;
}

}  // namespace pliant::interp
