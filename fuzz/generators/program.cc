#include "generators/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "generators/operands.h"
#include "isa/info.h"
#include "verify/verify.h"

// Programs are built as trees of statements, so that every attempt is a whole program:
//
//   instruction                      one line
//   branch { first } { second }      condition -> @second; first; JUMP @end; @second: second; @end:
//   loop { first }                   LOOP_BEGIN; first; LOOP_END
//
// An attempt adds a statement, flattens the tree, and asks the verifier.

namespace pliant::fuzz {
namespace {

using isa::Opcode;
using isa::Operand;

struct Statement {
  enum class Kind { kInstruction, kBranch, kLoop };
  Kind kind = Kind::kInstruction;
  isa::Instruction instruction;
  std::vector<Statement> first;
  std::vector<Statement> second;
};

class Generator {
 public:
  Generator(Choices& choices, const GeneratorLimits& limits)
      : choices_(choices), limits_(limits), operands_(choices, program_) {}

  GeneratedProgram run();

 private:
  void declare_inputs();
  void load_inputs();
  void fill(std::vector<Statement>& list, std::size_t depth);
  void add_instruction(std::vector<Statement>& list);
  void add_branch(std::vector<Statement>& list, std::size_t depth);
  void add_loop(std::vector<Statement>& list, std::size_t depth);
  /// Keeps the statement at the end of the list if the whole program is still valid.
  bool attempt(std::vector<Statement>& list, Statement statement);
  void store_outputs();
  [[nodiscard]] std::vector<std::vector<Shape>> choose_shapes();
  [[nodiscard]] Program flattened() const;

  Choices& choices_;
  const GeneratorLimits& limits_;
  Program program_;  ///< without instructions; those are in the tree
  OperandGenerator operands_;
  std::vector<Statement> statements_;
  std::size_t instruction_count_ = 0;
};

void append(const std::vector<Statement>& list, Program& out) {
  const auto here = [&] { return static_cast<std::int64_t>(out.instructions.size()); };
  const auto emit = [&](isa::Instruction instruction) {
    out.instructions.push_back(std::move(instruction));
    return out.instructions.size() - 1;
  };
  for (const Statement& statement : list) {
    const std::size_t start = emit(statement.instruction);
    if (statement.kind == Statement::Kind::kBranch) {
      append(statement.first, out);
      const std::size_t jump = emit({Opcode::kJump, {isa::label(0)}});
      out.instructions[start].operands.back() = isa::label(here());
      append(statement.second, out);
      out.instructions[jump].operands[isa::Jump::target] = isa::label(here());
    } else if (statement.kind == Statement::Kind::kLoop) {
      append(statement.first, out);
      emit({Opcode::kLoopEnd, {isa::label(static_cast<std::int64_t>(start))}});
      out.instructions[start].operands[isa::LoopBegin::end] = isa::label(here());
    }
  }
}

Program Generator::flattened() const {
  Program result = program_;
  append(statements_, result);
  result.places.assign(result.instructions.size(), {});
  return result;
}

GeneratedProgram Generator::run() {
  declare_inputs();
  load_inputs();
  fill(statements_, 0);
  store_outputs();
  return {flattened(), choose_shapes()};
}

void Generator::declare_inputs() {
  static constexpr std::array kTypes = {DType::kF32,  DType::kF32, DType::kI64, DType::kBool,
                                        DType::kF16,  DType::kI32, DType::kU8,  DType::kF64,
                                        DType::kBF16, DType::kI8};
  program_.symbols = {"n", "m"};
  // The first input binds both symbols; the others use them as they like.
  program_.inputs.push_back({"x0",
                             DType::kF32,
                             {{InputExtent::Kind::kSymbol, 0}, {InputExtent::Kind::kSymbol, 1}},
                             true,
                             {}});
  for (std::size_t i = 1 + choices_.below(3); i > 0; --i) {
    InputDeclaration input;
    input.name = fmt::format("x{}", program_.inputs.size());
    input.dtype = kTypes[choices_.below(kTypes.size())];
    input.rank_known = !choices_.percent(15);
    for (std::size_t rank = input.rank_known ? choices_.below(5) : 0; rank > 0; --rank) {
      const bool symbol = choices_.percent(50);
      input.shape.push_back({symbol ? InputExtent::Kind::kSymbol : InputExtent::Kind::kNumber,
                             static_cast<std::int64_t>(choices_.below(symbol ? 2 : 4))});
    }
    program_.inputs.push_back(std::move(input));
  }
}

void Generator::load_inputs() {
  for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
    Statement load;
    load.instruction = {
        Opcode::kLoadTensor,
        {operands_.new_register(RegisterKind::kTensor), isa::input(static_cast<std::int64_t>(i))}};
    attempt(statements_, std::move(load));
  }
}

void Generator::fill(std::vector<Statement>& list, std::size_t depth) {
  constexpr int kMostAttempts = 400;
  const std::size_t most = depth == 0 ? limits_.instructions : 1 + choices_.below(4);
  const std::size_t goal = list.size() + most;
  for (int i = 0; i < kMostAttempts && list.size() < goal &&
                  instruction_count_ < limits_.instructions && !choices_.exhausted();
       ++i) {
    const std::size_t kind = choices_.below(20);
    if (kind == 0 && depth < limits_.depth) {
      add_branch(list, depth);
    } else if (kind == 1 && depth < limits_.depth) {
      add_loop(list, depth);
    } else {
      add_instruction(list);
    }
  }
}

void Generator::add_instruction(std::vector<Statement>& list) {
  const auto rows = isa::instructions();
  const isa::InstructionInfo& row = rows[choices_.below(rows.size())];
  // Branches are statements of their own, and outputs are stored at the end.
  if ((row.effects & (isa::kBranches | isa::kTerminates | isa::kWritesOutput)) != 0) {
    return;
  }
  const std::size_t registers = program_.registers.size();
  const std::size_t constants = program_.constants.size();
  Statement statement;
  statement.instruction = operands_.instruction(row);
  if (!attempt(list, std::move(statement))) {
    program_.registers.resize(registers);
    program_.constants.resize(constants);
  }
}

void Generator::add_branch(std::vector<Statement>& list, std::size_t depth) {
  Statement statement;
  statement.kind = Statement::Kind::kBranch;
  const auto comparison = static_cast<isa::Comparison>(choices_.below(6));
  statement.instruction = {
      Opcode::kBranchOnShape,
      {operands_.size(), isa::choice(comparison), operands_.size(), isa::label(0)}};
  if (!attempt(list, std::move(statement))) {
    return;
  }
  // What an arm writes anew is not written on the other path.
  const OperandGenerator::Scope before = operands_.scope();
  fill(list.back().first, depth + 1);
  operands_.restore_scope(before);
  fill(list.back().second, depth + 1);
  operands_.restore_scope(before);
}

void Generator::add_loop(std::vector<Statement>& list, std::size_t depth) {
  Statement statement;
  statement.kind = Statement::Kind::kLoop;
  const auto trips = isa::number(static_cast<std::int64_t>(choices_.below(4)));
  const Operand iteration = operands_.new_register(RegisterKind::kSize);
  statement.instruction = {Opcode::kLoopBegin, {iteration, trips, isa::label(0)}};
  if (!attempt(list, std::move(statement))) {
    return;
  }
  const OperandGenerator::Scope outside = operands_.scope();  // with the iteration
  fill(list.back().first, depth + 1);
  operands_.restore_scope(outside);
}

bool Generator::attempt(std::vector<Statement>& list, Statement statement) {
  const isa::Instruction instruction = statement.instruction;
  list.push_back(std::move(statement));
  auto verified = verify::verify(flattened());
  if (!verified) {
    list.pop_back();
    return false;
  }
  program_.registers = (*verified)->registers;  // with element types, for the choice of operands
  operands_.enter_scope(instruction);
  ++instruction_count_;
  return true;
}

void Generator::store_outputs() {
  OperandGenerator::Scope tensors;
  for (const std::int64_t reg : operands_.scope()) {
    if (program_.registers[static_cast<std::size_t>(reg)].kind == RegisterKind::kTensor) {
      tensors.push_back(reg);
    }
  }
  constexpr std::size_t kMostOutputs = 4;
  for (std::size_t i = 0; i < std::min(kMostOutputs, tensors.size()); ++i) {
    Statement store;
    store.instruction = {
        Opcode::kStoreTensor,
        {isa::output(static_cast<std::int64_t>(i)), isa::reg(tensors[tensors.size() - 1 - i])}};
    program_.outputs.push_back({fmt::format("y{}", i)});
    statements_.push_back(std::move(store));
  }
}

std::vector<std::vector<Shape>> Generator::choose_shapes() {
  static constexpr std::array<std::int64_t, 8> kExtents = {2, 3, 1, 0, 4, 5, 7, 17};
  std::vector<std::vector<Shape>> runs;
  for (std::size_t run = 0; run < limits_.runs; ++run) {
    const std::array symbols = {kExtents[choices_.below(kExtents.size())],
                                kExtents[choices_.below(kExtents.size())]};
    std::vector<Shape>& shapes = runs.emplace_back();
    for (const InputDeclaration& input : program_.inputs) {
      Shape& shape = shapes.emplace_back();
      for (const InputExtent& extent : input.shape) {
        shape.push_back(extent.kind == InputExtent::Kind::kNumber
                            ? extent.value
                            : symbols[static_cast<std::size_t>(extent.value)]);
      }
      for (std::size_t rank = input.rank_known ? 0 : choices_.below(4); rank > 0; --rank) {
        shape.push_back(kExtents[choices_.below(4)]);
      }
    }
  }
  return runs;
}

}  // namespace

GeneratedProgram generate_program(Choices& choices, const GeneratorLimits& limits) {
  return Generator(choices, limits).run();
}

}  // namespace pliant::fuzz
