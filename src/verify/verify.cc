#include "verify/verify.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "isa/info.h"
#include "program/well_formed.h"
#include "verify/control_flow.h"
#include "verify/flow_check.h"
#include "verify/slots.h"

namespace pliant {

struct VerifiedProgram::Proof {};

namespace verify {
namespace {

class Verifier {
 public:
  Verifier(Program program, Diagnostics& diagnostics)
      : program_(std::move(program)), diagnostics_(diagnostics) {}

  Result<VerifiedProgram> run();

 private:
  void check_structure();
  void check_defaults();
  void check_symbols();
  void check_loops();
  void check_loop_begin(std::size_t begin);
  void check_loop_end(std::size_t end);
  void report(std::size_t instruction, Error error);

  Program program_;
  Diagnostics& diagnostics_;
};

Result<VerifiedProgram> Verifier::run() {
  check_structure();
  if (diagnostics_.empty()) {
    const ControlFlow flow = find_control_flow(program_);
    const Slots slots(program_);
    Status status = check_flow(program_, flow, slots, [&](std::size_t instruction, Error error) {
      report(instruction, std::move(error));
    });
    if (!status) {
      diagnostics_.add({status.error().code, status.error().message, program_.source, 0, 0});
    }
  }
  if (!diagnostics_.empty()) {
    return diagnostics_.to_error();
  }
  return VerifiedProgram(std::make_shared<const Program>(std::move(program_)),
                         VerifiedProgram::Proof{});
}

void Verifier::report(std::size_t instruction, Error error) {
  Diagnostic diagnostic{error.code, std::move(error.message), program_.source, 0, 0};
  if (instruction < program_.instructions.size()) {
    diagnostic.where = program_.describe(instruction);
    if (instruction < program_.places.size()) {
      diagnostic.line = program_.places[instruction].line;
      diagnostic.column = program_.places[instruction].column;
    }
  }
  diagnostics_.add(std::move(diagnostic));
}

void Verifier::check_structure() {
  const std::size_t count = program_.instructions.size();
  for (RegisterInfo& info : program_.registers) {
    info.dtype.reset();  // found anew, whatever was claimed
  }
  for (OutputDeclaration& output : program_.outputs) {
    output.found.reset();
  }
  if (Status status = check_declarations(program_); !status) {
    report(count, std::move(status.error()));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (Status status = check_instruction(program_, i); !status) {
      report(i, std::move(status.error()));
    }
  }
  check_defaults();
  if (diagnostics_.empty()) {
    check_symbols();
    check_loops();
  }
}

/// A default has to be a value that a caller could give.
void Verifier::check_defaults() {
  for (const InputDeclaration& input : program_.inputs) {
    if (!input.default_constant) {
      continue;
    }
    const TensorView& view =
        program_.constants[static_cast<std::size_t>(*input.default_constant)].value.view;
    bool fits =
        view.dtype == input.dtype && (!input.rank_known || view.shape.size() == input.shape.size());
    for (std::size_t axis = 0; fits && axis < input.shape.size(); ++axis) {
      const InputExtent& extent = input.shape[axis];
      fits = extent.kind == InputExtent::Kind::kSymbol || extent.value == view.shape[axis];
    }
    if (!fits) {
      report(program_.instructions.size(),
             make_error(ErrorCode::kVerification,
                        "the default of an input has another type or shape: {} is {}{}", input.name,
                        name(view.dtype), to_string(view.shape)));
    }
  }
}

template <class Visit>
void visit_symbols(const isa::Operand& operand, Visit&& visit) {
  if (operand.form == isa::Form::kSymbol) {
    visit(static_cast<std::size_t>(operand.number));
  }
  for (const isa::Operand& item : operand.list) {
    visit_symbols(item, visit);
  }
}

/// A symbol gets its value from an input.
void Verifier::check_symbols() {
  std::vector<bool> bound(program_.symbols.size(), false);
  for (const InputDeclaration& input : program_.inputs) {
    for (const InputExtent& extent : input.shape) {
      if (extent.kind == InputExtent::Kind::kSymbol) {
        bound[static_cast<std::size_t>(extent.value)] = true;
      }
    }
  }
  for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
    for (const isa::Operand& operand : program_.instructions[i].operands) {
      visit_symbols(operand, [&](std::size_t symbol) {
        if (!bound[symbol]) {
          report(i, make_error(ErrorCode::kVerification, "a symbol is an extent of no input: {}",
                               program_.symbols[symbol]));
        }
      });
    }
  }
}

void Verifier::check_loops() {
  for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
    if (program_.instructions[i].opcode == isa::Opcode::kLoopBegin) {
      check_loop_begin(i);
    } else if (program_.instructions[i].opcode == isa::Opcode::kLoopEnd) {
      check_loop_end(i);
    }
  }
}

void Verifier::check_loop_begin(std::size_t begin) {
  const auto end =
      static_cast<std::size_t>(program_.instructions[begin].operands[isa::LoopBegin::end].number);
  const bool pairs = end > begin + 1 &&
                     program_.instructions[end - 1].opcode == isa::Opcode::kLoopEnd &&
                     program_.instructions[end - 1].operands[isa::LoopEnd::begin].number ==
                         static_cast<std::int64_t>(begin);
  if (!pairs) {
    report(begin, make_error(ErrorCode::kVerification,
                             "LOOP_BEGIN: the label must name the instruction after its LOOP_END"));
  }
}

void Verifier::check_loop_end(std::size_t end) {
  const auto begin =
      static_cast<std::size_t>(program_.instructions[end].operands[isa::LoopEnd::begin].number);
  const bool pairs = begin < end &&
                     program_.instructions[begin].opcode == isa::Opcode::kLoopBegin &&
                     program_.instructions[begin].operands[isa::LoopBegin::end].number ==
                         static_cast<std::int64_t>(end) + 1;
  if (!pairs) {
    report(end, make_error(ErrorCode::kVerification,
                           "LOOP_END: the label must name the LOOP_BEGIN that ends here"));
  }
}

}  // namespace

Result<VerifiedProgram> verify(Program program, Diagnostics* diagnostics) {
  Diagnostics own;
  return Verifier(std::move(program), diagnostics != nullptr ? *diagnostics : own).run();
}

}  // namespace verify
}  // namespace pliant
