#include <bit>
#include <unordered_map>

#include "plan/operands.h"
#include "plan/passes.h"
#include "plan/replace_values.h"
#include "shapes/signature.h"

namespace pliant::plan {
namespace {

std::uint64_t hash(const isa::Operand& operand, std::uint64_t seed) {
  seed = shapes::mix_hash(seed, static_cast<std::uint64_t>(operand.form));
  seed = shapes::mix_hash(seed, static_cast<std::uint64_t>(operand.number));
  seed = shapes::mix_hash(seed, std::bit_cast<std::uint64_t>(operand.real));
  for (const isa::Operand& item : operand.list) {
    seed = hash(item, seed);
  }
  return seed;
}

/// Of everything but the results.
std::uint64_t hash(const isa::Instruction& instruction) {
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  std::uint64_t seed = static_cast<std::uint64_t>(instruction.opcode);
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (!row.operands[i].is_definition()) {
      seed = hash(instruction.operands[i], seed);
    }
  }
  return seed;
}

/// Whether `later` computes what `earlier` computes, and no more results than it.
bool computes_same(const isa::Instruction& earlier, const isa::Instruction& later) {
  if (earlier.opcode != later.opcode) {
    return false;
  }
  const isa::InstructionInfo& row = isa::info(earlier.opcode);
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const isa::Operand& a = earlier.operands[i];
    const isa::Operand& b = later.operands[i];
    if (!row.operands[i].is_definition()) {
      if (!(a == b)) {
        return false;
      }
      continue;
    }
    if (a.form != b.form || a.list.size() != b.list.size()) {
      return false;
    }
    for (std::size_t part = 0; part < a.list.size(); ++part) {
      if (a.list[part].form != b.list[part].form) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

void merge_equal(Graph& graph) {
  Replacements replacements(graph);
  std::unordered_multimap<std::uint64_t, const isa::Instruction*> seen;
  for (Node& node : graph.nodes) {
    for (isa::Instruction& instruction : node.instructions) {
      replacements.apply(instruction);
    }
    isa::Instruction& instruction = node.instructions[0];
    if (node.instructions.size() != 1 || !has_effect(instruction, isa::kPure) ||
        has_effect(instruction, isa::kRandom)) {
      continue;
    }
    const std::uint64_t key = hash(instruction);
    const auto [begin, end] = seen.equal_range(key);
    const isa::Instruction* same = nullptr;
    for (auto entry = begin; entry != end && same == nullptr; ++entry) {
      same = computes_same(*entry->second, instruction) ? entry->second : nullptr;
    }
    if (same == nullptr) {
      seen.emplace(key, &instruction);
      continue;
    }
    std::vector<int> kept;
    for_each_definition(*same,
                        [&](const isa::Operand& operand) { kept.push_back(value_in(operand)); });
    std::size_t i = 0;
    for_each_definition(instruction, [&](const isa::Operand& operand) {
      if (operand.given()) {
        replacements.replace(value_in(operand), kept[i]);
      }
      ++i;
    });
  }
  replacements.apply_to_live_outs(graph);
}

}  // namespace pliant::plan
