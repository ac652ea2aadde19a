#include "interp/liveness.h"

#include <algorithm>
#include <cstdint>

#include "isa/info.h"

namespace pliant::interp {
namespace {

using isa::Form;

/// A set of register numbers.
class RegisterSet {
 public:
  explicit RegisterSet(std::size_t register_count) : words_((register_count + 63) / 64) {}

  [[nodiscard]] bool contains(int index) const { return (word(index) >> (index % 64) & 1u) != 0; }
  void insert(int index) { words_[static_cast<std::size_t>(index / 64)] |= bit(index); }
  void erase(int index) { words_[static_cast<std::size_t>(index / 64)] &= ~bit(index); }
  void insert_all(const RegisterSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      words_[i] |= other.words_[i];
    }
  }
  void erase_all(const RegisterSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      words_[i] &= ~other.words_[i];
    }
  }
  [[nodiscard]] std::vector<int> members() const {
    std::vector<int> members;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        members.push_back(static_cast<int>(i * 64) + __builtin_ctzll(rest));
      }
    }
    return members;
  }
  friend bool operator==(const RegisterSet&, const RegisterSet&) = default;

 private:
  static std::uint64_t bit(int index) { return std::uint64_t{1} << (index % 64); }
  [[nodiscard]] std::uint64_t word(int index) const {
    return words_[static_cast<std::size_t>(index / 64)];
  }

  std::vector<std::uint64_t> words_;
};

/// Tensor registers that one instruction reads and writes.
struct Accesses {
  std::vector<int> uses;
  std::vector<int> definitions;
};

void collect(const Program& program, const isa::Operand& operand, std::vector<int>& registers) {
  for (const isa::Operand& item : operand.list) {
    collect(program, item, registers);
  }
  const bool is_register = operand.form == Form::kRegister || operand.form == Form::kAxis ||
                           operand.form == Form::kElement;
  if (is_register &&
      program.registers[static_cast<std::size_t>(operand.number)].kind == RegisterKind::kTensor) {
    registers.push_back(static_cast<int>(operand.number));
  }
}

Accesses accesses_of(const Program& program, const isa::Instruction& instruction) {
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  Accesses accesses;
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const bool definition = row.operands[i].is_definition();
    collect(program, instruction.operands[i], definition ? accesses.definitions : accesses.uses);
  }
  return accesses;
}

/// A stretch of instructions that is entered at its first and left at its last one alone.
struct Block {
  std::size_t first = 0;
  std::size_t end = 0;
  std::vector<std::size_t> successors;  ///< blocks
  RegisterSet live_in;
  RegisterSet live_out;
};

/// Instructions that may follow; the instruction count stands for the end of the program.
std::vector<std::size_t> followers(const Program& program, std::size_t index) {
  const isa::Instruction& instruction = program.instructions[index];
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  std::vector<std::size_t> result;
  if ((row.effects & isa::kTerminates) == 0) {
    result.push_back(index + 1);
  }
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (row.operands[i].kind == isa::OperandKind::kLabel) {
      // A loop goes on behind its LOOP_BEGIN, which would start it anew.
      const bool after_begin = instruction.opcode == isa::Opcode::kLoopEnd;
      result.push_back(static_cast<std::size_t>(instruction.operands[i].number) +
                       (after_begin ? 1 : 0));
    }
  }
  return result;
}

std::vector<Block> find_blocks(const Program& program) {
  const std::size_t count = program.instructions.size();
  std::vector<bool> starts(count + 1, false);
  starts[0] = true;
  starts[count] = true;
  std::vector<std::vector<std::size_t>> next(count);
  for (std::size_t i = 0; i < count; ++i) {
    next[i] = followers(program, i);
    if (next[i] != std::vector{i + 1}) {
      starts[i + 1] = true;
      for (const std::size_t target : next[i]) {
        starts[target] = true;
      }
    }
  }
  std::vector<Block> blocks;
  std::vector<std::size_t> block_at(count + 1, 0);
  const RegisterSet nothing(program.registers.size());
  for (std::size_t i = 0; i < count;) {
    std::size_t end = i + 1;
    while (!starts[end]) {
      ++end;
    }
    block_at[i] = blocks.size();
    blocks.push_back({i, end, {}, nothing, nothing});
    i = end;
  }
  for (Block& block : blocks) {
    for (const std::size_t target : next[block.end - 1]) {
      if (target < count) {
        block.successors.push_back(block_at[target]);
      }
    }
  }
  return blocks;
}

/// From what is live after an instruction to what is live before it.
void step_back(const Accesses& accesses, RegisterSet& live) {
  for (const int index : accesses.definitions) {
    live.erase(index);
  }
  for (const int index : accesses.uses) {
    live.insert(index);
  }
}

void find_live_sets(const std::vector<Accesses>& accesses, std::vector<Block>& blocks) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = blocks.size(); b-- > 0;) {
      Block& block = blocks[b];
      for (const std::size_t successor : block.successors) {
        block.live_out.insert_all(blocks[successor].live_in);
      }
      RegisterSet live = block.live_out;
      for (std::size_t i = block.end; i-- > block.first;) {
        step_back(accesses[i], live);
      }
      changed = changed || !(live == block.live_in);
      block.live_in = std::move(live);
    }
  }
}

/// The registers that an instruction reads or writes and nothing after it needs, each once.
std::vector<int> last_accesses(const Accesses& accesses, const RegisterSet& live_after) {
  std::vector<int> result;
  for (const auto* registers : {&accesses.uses, &accesses.definitions}) {
    for (const int index : *registers) {
      if (!live_after.contains(index) &&
          std::find(result.begin(), result.end(), index) == result.end()) {
        result.push_back(index);
      }
    }
  }
  return result;
}

}  // namespace

std::vector<Releases> find_releases(const Program& program) {
  std::vector<Releases> releases(program.instructions.size());
  std::vector<Accesses> accesses;
  accesses.reserve(program.instructions.size());
  for (const isa::Instruction& instruction : program.instructions) {
    accesses.push_back(accesses_of(program, instruction));
  }
  std::vector<Block> blocks = find_blocks(program);
  find_live_sets(accesses, blocks);

  // What some way into a block kept for another block than this one.
  std::vector<RegisterSet> arriving(blocks.size(), RegisterSet(program.registers.size()));
  for (const Block& block : blocks) {
    for (const std::size_t successor : block.successors) {
      arriving[successor].insert_all(block.live_out);
    }
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Block& block = blocks[b];
    arriving[b].erase_all(block.live_in);
    releases[block.first].before = arriving[b].members();
    RegisterSet live = block.live_out;
    for (std::size_t i = block.end; i-- > block.first;) {
      releases[i].after = last_accesses(accesses[i], live);
      step_back(accesses[i], live);
    }
  }
  return releases;
}

}  // namespace pliant::interp
