#include "session/segment_start.h"

#include <algorithm>

#include "isa/info.h"

namespace pliant::session {
namespace {

/// Tensor registers behind an operand, in order.
void collect(const Program& program, const isa::Operand& operand, std::vector<int>& registers) {
  using isa::Form;
  if ((operand.form == Form::kRegister || operand.form == Form::kAxis ||
       operand.form == Form::kElement) &&
      program.registers[static_cast<std::size_t>(operand.number)].kind == RegisterKind::kTensor) {
    registers.push_back(static_cast<int>(operand.number));
  }
  for (const isa::Operand& item : operand.list) {
    collect(program, item, registers);
  }
}

void add_once(std::vector<int>& list, int value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) {
    list.push_back(value);
  }
}

}  // namespace

SegmentStart::SegmentStart(const Program& program, const plan::RegisterUses& uses,
                           std::size_t first, std::size_t limit,
                           const plan::CompileOptions& options)
    : program_(program), uses_(uses), first_(first), limit_(limit), options_(options) {
  std::vector<bool> written(program.registers.size(), false);
  std::vector<int> found;
  for (std::size_t i = first; i < limit; ++i) {
    const isa::Instruction& instruction = program.instructions[i];
    const isa::InstructionInfo& row = isa::info(instruction.opcode);
    for (std::size_t position = 0; position < row.operands.size(); ++position) {
      const isa::Operand& operand = instruction.operands[position];
      if (operand.form == isa::Form::kInput &&
          !program.inputs[static_cast<std::size_t>(operand.number)].rank_known) {
        add_once(inputs_, static_cast<int>(operand.number));
      }
      if (row.operands[position].is_definition()) {
        continue;
      }
      found.clear();
      collect(program, operand, found);
      for (const int index : found) {
        if (!written[static_cast<std::size_t>(index)]) {
          add_once(registers_, index);
        }
      }
    }
    for (std::size_t position = 0; position < row.operands.size(); ++position) {
      if (row.operands[position].is_definition()) {
        found.clear();
        collect(program, instruction.operands[position], found);
        for (const int index : found) {
          written[static_cast<std::size_t>(index)] = true;
        }
      }
    }
  }
}

std::shared_ptr<const Segment> SegmentStart::compile(const Ranks& ranks) const {
  plan::KnownRanks known = plan::declared_ranks(program_);
  std::size_t next = 0;
  for (const int index : inputs_) {
    known.inputs[static_cast<std::size_t>(index)] = ranks[next++];
  }
  for (const int index : registers_) {
    known.registers[static_cast<std::size_t>(index)] = ranks[next++];
  }
  return std::make_shared<const Segment>(
      plan::compile_segment(program_, uses_, first_, limit_, known, options_));
}

void SegmentStart::prepare() {
  PLIANT_CHECK(has_known_ranks());
  const std::lock_guard lock(mutex_);
  variants_.try_emplace({}, compile({}));
}

std::shared_ptr<const Segment> SegmentStart::segment_for(const interp::Execution& execution) {
  Ranks ranks;
  for (const int index : inputs_) {
    ranks.push_back(execution.input(index).view.shape.size());
  }
  for (const int index : registers_) {
    ranks.push_back(execution.tensor(index).view.shape.size());
  }
  const std::lock_guard lock(mutex_);
  if (const auto found = variants_.find(ranks); found != variants_.end()) {
    return found->second;
  }
  if (variants_.size() >= kMaxVariants) {
    return nullptr;
  }
  return variants_[ranks] = compile(ranks);
}

std::vector<std::shared_ptr<const Segment>> SegmentStart::segments() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const Segment>> segments;
  for (const auto& [ranks, segment] : variants_) {
    segments.push_back(segment);
  }
  return segments;
}

}  // namespace pliant::session
