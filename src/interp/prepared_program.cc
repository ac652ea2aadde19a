#include "interp/prepared_program.h"

#include <algorithm>

#include "interp/handlers.h"
#include "interp/liveness.h"
#include "isa/info.h"

namespace pliant::interp {
namespace {

using isa::Form;
using isa::OperandKind;

bool is_tensor_use(OperandKind kind) {
  return kind == OperandKind::kTensorUse || kind == OperandKind::kTensorUses ||
         kind == OperandKind::kAnyUse || kind == OperandKind::kTensorAxis ||
         kind == OperandKind::kTensorElement;
}

bool is_tensor_definition(OperandKind kind) {
  return kind == OperandKind::kTensorDef || kind == OperandKind::kTensorDefs ||
         kind == OperandKind::kAnyDef;
}

/// True for numbers and constants, whose value is the same in every run.
bool is_fixed(const isa::Operand& operand) {
  return operand.form != Form::kRegister && operand.form != Form::kSymbol &&
         std::all_of(operand.list.begin(), operand.list.end(), is_fixed);
}

/// A 0-d constant with one element.
template <class T>
StoredTensor scalar_constant(DType dtype, T value) {
  StoredTensor tensor = make_constant(dtype, {});
  *tensor.view.as<T>() = value;
  return tensor;
}

std::uint32_t count_since(std::size_t size, std::uint32_t first) {
  return static_cast<std::uint32_t>(size) - first;
}

}  // namespace

PreparedProgram::PreparedProgram(VerifiedProgram program) : program_(std::move(program)) {
  constants_.reserve(program_->constants.size());
  for (const Constant& constant : program_->constants) {
    constants_.push_back(constant.value);
  }
  steps_.reserve(program_->instructions.size());
  for (const isa::Instruction& instruction : program_->instructions) {
    steps_.push_back(decode(instruction));
    max_sources_ = std::max<std::size_t>(max_sources_, steps_.back().sources.count);
  }
  number_loops();
  place_releases();
}

Step PreparedProgram::decode(const isa::Instruction& instruction) {
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  Step step;
  step.execute = handler_of(instruction.opcode);
  step.instruction = &instruction;
  step.op = &bind::operator_of(instruction.opcode);
  step.fixed_geometry = true;
  step.sources.first = static_cast<std::uint32_t>(sources_.size());
  step.targets.first = static_cast<std::uint32_t>(targets_.size());
  step.sizes.first = static_cast<std::uint32_t>(operands_.size());
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const OperandKind kind = row.operands[i].kind;
    const isa::Operand& operand = instruction.operands[i];
    const int position = static_cast<int>(i);
    if (is_tensor_definition(kind)) {
      add_targets(position, operand, row.operands[i].is_positional());
    } else if (is_tensor_use(kind) && operand.given()) {
      add_sources(position, operand);
    } else if (kind == OperandKind::kSize || kind == OperandKind::kSizes) {
      if (operand.given()) {
        operands_.push_back(position);
        step.fixed_geometry = step.fixed_geometry && is_fixed(operand);
      }
    } else if (kind == OperandKind::kLabel) {
      const bool after_begin = instruction.opcode == isa::Opcode::kLoopEnd;
      step.target = operand.number + (after_begin ? 1 : 0);
    }
  }
  step.sources.count = count_since(sources_.size(), step.sources.first);
  step.targets.count = count_since(targets_.size(), step.targets.first);
  step.sizes.count = count_since(operands_.size(), step.sizes.first);
  step.numbers.first = static_cast<std::uint32_t>(operands_.size());
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (row.operands[i].kind == OperandKind::kNumbers && instruction.operands[i].given()) {
      operands_.push_back(static_cast<int>(i));
    }
  }
  step.numbers.count = count_since(operands_.size(), step.numbers.first);
  return step;
}

void PreparedProgram::add_targets(int position, const isa::Operand& operand, bool required) {
  const auto add = [&](int part, const isa::Operand& item) {
    targets_.push_back({position, part, item.given() ? static_cast<int>(item.number) : -1,
                        item.given() || required});
  };
  if (operand.form != Form::kList) {
    add(0, operand);
    return;
  }
  int part = 0;
  for (const isa::Operand& item : operand.list) {
    add(part++, item);
  }
}

void PreparedProgram::add_sources(int position, const isa::Operand& operand) {
  if (operand.form != Form::kList) {
    add_source(position, operand);
    return;
  }
  for (const isa::Operand& item : operand.list) {
    add_source(position, item);
  }
}

void PreparedProgram::add_source(int position, const isa::Operand& operand) {
  using Kind = TensorSource::Kind;
  const auto index = static_cast<int>(operand.number);
  switch (operand.form) {
    case Form::kConstant:
      sources_.push_back({Kind::kConstant, position, index});
      break;
    case Form::kSymbol:
      sources_.push_back({Kind::kSymbol, position, index});
      break;
    case Form::kNumber:
      sources_.push_back({Kind::kConstant, position, static_cast<int>(constants_.size())});
      constants_.push_back(scalar_constant(DType::kI64, operand.number));
      break;
    case Form::kReal:
      sources_.push_back({Kind::kConstant, position, static_cast<int>(constants_.size())});
      constants_.push_back(scalar_constant(DType::kF32, static_cast<float>(operand.real)));
      break;
    default: {  // a register, alone or behind an axis or element
      const bool size =
          program_->registers[static_cast<std::size_t>(index)].kind == RegisterKind::kSize;
      sources_.push_back({size ? Kind::kSize : Kind::kRegister, position, index});
      break;
    }
  }
}

void PreparedProgram::number_loops() {
  for (Step& step : steps_) {
    if (step.instruction->opcode == isa::Opcode::kLoopBegin) {
      step.loop = loop_count_++;
    }
  }
  for (Step& step : steps_) {
    if (step.instruction->opcode == isa::Opcode::kLoopEnd) {
      step.loop = steps_[static_cast<std::size_t>(step.target - 1)].loop;
    }
  }
}

void PreparedProgram::place_releases() {
  const auto append = [this](const std::vector<int>& registers) {
    const Range range{static_cast<std::uint32_t>(releases_.size()),
                      static_cast<std::uint32_t>(registers.size())};
    releases_.insert(releases_.end(), registers.begin(), registers.end());
    return range;
  };
  const std::vector<Releases> releases = find_releases(*program_);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    steps_[i].release_before = append(releases[i].before);
    steps_[i].release_after = append(releases[i].after);
  }
}

}  // namespace pliant::interp
