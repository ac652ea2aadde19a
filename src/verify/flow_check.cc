#include "verify/flow_check.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "isa/info.h"
#include "tensor/dtype.h"
#include "verify/facts.h"
#include "verify/known_facts.h"
#include "verify/liveness.h"
#include "verify/output_facts.h"

// How the check goes on:
//
//   entry state of a block: facts of the slots that are live there
//        | visit: each instruction asks its rule, and sets the facts of what it writes
//   state at the end of the block
//        | join into the entry states of the successors; those that changed are visited (again)
//
// A joined extent is a symbol of its own per block, slot and axis, so an entry state changes only a
// few times: from an extent to that symbol, from a rank to unknown. An error met on the way may come
// from facts that later turn out too narrow; so all reachable blocks are visited once more at the
// end, and only that last visit reports.

namespace pliant::verify {
namespace {

using isa::Form;
using isa::OperandKind;
using semantics::Extent;

/// Chains of moves in a loop can carry news on by one register per visit. After this many visits of a
/// block, what differs gives up its shape at once.
constexpr int kPatience = 12;

class FlowCheck {
 public:
  FlowCheck(Program& program, const ControlFlow& flow, const Slots& slots, Report report,
            std::vector<std::vector<int>> live)
      : program_(program),
        flow_(flow),
        slots_(slots),
        report_(report),
        live_(std::move(live)),
        entries_(flow.blocks.size()),
        known_(program) {}

  void run();

 private:
  struct Entry {
    std::vector<const Facts*> facts;  ///< one per live slot; null: may not have been written
    bool reached = false;
    int visits = 0;
  };

  void settle();
  void load(std::size_t block);
  void visit(std::size_t block);
  void execute(std::size_t instruction);
  [[nodiscard]] bool flow_into(std::size_t successor);
  [[nodiscard]] const Facts* join(std::size_t block, std::size_t position, const Facts* old,
                                  const Facts* incoming);
  [[nodiscard]] Extent joined_extent(std::size_t block, std::size_t position, int axis);

  /// False when an operand is unset or wrong: then nothing can be said about the results.
  [[nodiscard]] bool operands_are_right(std::size_t instruction);
  [[nodiscard]] Status check_size_tensors(const isa::Instruction& instruction) const;
  void set_results(std::size_t instruction, const semantics::InferenceContext& context);
  void set_all_results(std::size_t instruction, const Facts& facts);
  void set_tensor(std::size_t instruction, std::int64_t reg, const semantics::TensorFacts& facts);
  void note_rank(std::size_t reg, const semantics::TensorFacts& facts);
  void fail(std::size_t instruction, Error error);
  const Facts* keep(const Facts& facts) { return &facts_.emplace_back(facts); }

  Program& program_;
  const ControlFlow& flow_;
  const Slots& slots_;
  Report report_;
  std::vector<std::vector<int>> live_;
  std::vector<Entry> entries_;
  KnownFacts known_;
  std::deque<Facts> facts_;
  std::map<std::tuple<std::size_t, std::size_t, int>, Extent> joined_;
  std::vector<std::size_t> first_definition_;  ///< per register, for messages about its type
  std::vector<bool> has_noted_rank_;           ///< per register

  bool reporting_ = false;
  bool reported_ = false;
  struct Failure {
    std::size_t instruction;
    Error error;
  };
  std::optional<Failure> first_failure_;  ///< in case the last visit does not meet it again
  std::optional<semantics::InferenceContext> context_;
};

void FlowCheck::run() {
  first_definition_.assign(program_.registers.size(), SIZE_MAX);
  has_noted_rank_.assign(program_.registers.size(), false);
  settle();
  reporting_ = true;
  for (const int block : flow_.order) {
    visit(static_cast<std::size_t>(block));
  }
  const std::size_t exit = flow_.blocks.size() - 1;
  for (std::size_t i = 0; entries_[exit].reached && i < live_[exit].size(); ++i) {
    if (entries_[exit].facts[i] == nullptr && slots_.is_output(live_[exit][i])) {
      const std::string& name = program_.outputs[slots_.output_of(live_[exit][i])].name;
      fail(program_.instructions.size(),
           make_error(ErrorCode::kVerification,
                      "an output is not stored on every path to the end: {}", name));
    }
  }
  if (!reported_ && first_failure_) {
    report_(first_failure_->instruction, std::move(first_failure_->error));
  }
}

void FlowCheck::settle() {
  std::vector<int> rank_of(flow_.blocks.size(), -1);
  for (std::size_t i = 0; i < flow_.order.size(); ++i) {
    rank_of[static_cast<std::size_t>(flow_.order[i])] = static_cast<int>(i);
  }
  entries_[0].reached = true;
  entries_[0].facts.assign(live_[0].size(), nullptr);
  std::set<int> waiting = {0};
  while (!waiting.empty()) {
    const auto block =
        static_cast<std::size_t>(flow_.order[static_cast<std::size_t>(*waiting.begin())]);
    waiting.erase(waiting.begin());
    ++entries_[block].visits;
    visit(block);
    for (const int successor : flow_.blocks[block].successors) {
      if (flow_into(static_cast<std::size_t>(successor))) {
        waiting.insert(rank_of[static_cast<std::size_t>(successor)]);
      }
    }
  }
}

void FlowCheck::load(std::size_t block) {
  for (std::size_t i = 0; i < live_[block].size(); ++i) {
    known_.set(live_[block][i], entries_[block].facts[i]);
  }
}

void FlowCheck::visit(std::size_t block) {
  // What is not live here is either written before it is read, or never read.
  load(block);
  for (std::size_t i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) {
    execute(i);
  }
}

bool FlowCheck::flow_into(std::size_t successor) {
  Entry& entry = entries_[successor];
  const std::vector<int>& live = live_[successor];
  if (!entry.reached) {
    entry.reached = true;
    for (const int slot : live) {
      entry.facts.push_back(known_.get(slot));
    }
    return true;
  }
  bool changed = false;
  const bool meets = flow_.blocks[successor].predecessors.size() > 1 || successor == 0;
  for (std::size_t i = 0; i < live.size(); ++i) {
    const Facts* incoming = known_.get(live[i]);
    const Facts* old = entry.facts[i];
    if (old == incoming || (old != nullptr && incoming != nullptr && *old == *incoming)) {
      continue;
    }
    entry.facts[i] = meets ? join(successor, i, old, incoming) : incoming;
    changed = changed || entry.facts[i] != old;
  }
  return changed;
}

Extent FlowCheck::joined_extent(std::size_t block, std::size_t position, int axis) {
  const auto [found, is_new] = joined_.try_emplace({block, position, axis});
  if (is_new) {
    found->second = known_.new_symbol("?");
  }
  return found->second;
}

/// The old pointer when nothing changes.
const Facts* FlowCheck::join(std::size_t block, std::size_t position, const Facts* old,
                             const Facts* incoming) {
  if (old == nullptr || incoming == nullptr) {
    return nullptr;
  }
  Facts joined = *old;
  if (old->kind != incoming->kind || old->kind == Facts::Kind::kWrong) {
    joined.kind = Facts::Kind::kWrong;
  } else if (old->kind == Facts::Kind::kSize) {
    joined.size = joined_extent(block, position, -1);
  } else if (old->kind == Facts::Kind::kTensor) {
    if (old->tensor.dtype != incoming->tensor.dtype) {
      joined.kind = Facts::Kind::kWrong;
      fail(flow_.blocks[block].begin,
           make_error(ErrorCode::kVerification,
                      "a register has two element types where paths meet: {} and {}",
                      name(old->tensor.dtype), name(incoming->tensor.dtype)));
    }
    joined.tensor.rank_known = old->tensor.rank_known && incoming->tensor.rank_known &&
                               old->tensor.shape.size() == incoming->tensor.shape.size() &&
                               entries_[block].visits <= kPatience;
    for (std::size_t axis = 0; joined.tensor.rank_known && axis < joined.tensor.shape.size();
         ++axis) {
      if (!(old->tensor.shape[axis] == incoming->tensor.shape[axis])) {
        joined.tensor.shape[axis] = joined_extent(block, position, static_cast<int>(axis));
      }
    }
  }
  return joined == *old ? old : keep(joined);
}

void FlowCheck::fail(std::size_t instruction, Error error) {
  if (reporting_) {
    reported_ = true;
    report_(instruction, std::move(error));
  } else if (!first_failure_) {
    first_failure_ = Failure{instruction, std::move(error)};
  }
}

bool FlowCheck::operands_are_right(std::size_t instruction) {
  bool right = true;
  slots_.for_each_use(instruction, [&](int slot) {
    const Facts* facts = known_.get(slot);
    if (facts == nullptr && right) {
      fail(instruction,
           slots_.is_register(slot)
               ? make_error(ErrorCode::kVerification,
                            "{}: a register may be read before it is written: r{}",
                            isa::info(program_.instructions[instruction].opcode).mnemonic, slot)
               : make_error(ErrorCode::kVerification,
                            "LOOP_END can be reached without its LOOP_BEGIN"));
    }
    right = right && facts != nullptr && facts->kind != Facts::Kind::kWrong;
  });
  return right;
}

/// The instruction table has no type constraint for lists that are given as tensors.
Status FlowCheck::check_size_tensors(const isa::Instruction& instruction) const {
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const OperandKind kind = row.operands[i].kind;
    const bool sizes = kind == OperandKind::kSize || kind == OperandKind::kSizes;
    const Form form = instruction.operands[i].form;
    if ((!sizes && kind != OperandKind::kNumbers) ||
        (form != Form::kRegister && form != Form::kConstant)) {
      continue;
    }
    const DType dtype = known_.tensor(instruction.operands[i]).dtype;
    if (sizes ? !is_integer(dtype) : !is_float(dtype)) {
      return make_error(ErrorCode::kVerification, "{}: operand {} has element type {}, expected {}",
                        row.mnemonic, row.operands[i].field, name(dtype),
                        sizes ? "an integer type" : "a float type");
    }
  }
  return {};
}

void FlowCheck::execute(std::size_t index) {
  const isa::Instruction& instruction = program_.instructions[index];
  if (!operands_are_right(index)) {
    set_all_results(index, {Facts::Kind::kWrong, {}, {}});
    return;
  }
  known_.visit(index);
  if (!context_) {
    context_.emplace(instruction, known_);
  } else {
    context_->reset(instruction);
  }
  Status status = check_size_tensors(instruction);
  if (status) {
    status = context_->infer();
  }
  if (status) {
    if (reporting_ && instruction.opcode == isa::Opcode::kStoreTensor) {
      const auto output =
          static_cast<std::size_t>(instruction.operands[isa::StoreTensor::output].number);
      note_stored(program_, output, known_.tensor(instruction.operands[isa::StoreTensor::x]));
    }
    set_results(index, *context_);
    return;
  }
  const bool type_error = status.error().code == ErrorCode::kVerification;
  if (reporting_ || type_error) {
    fail(index, std::move(status.error()));
    set_all_results(index, {Facts::Kind::kWrong, {}, {}});
    return;
  }
  // The types are right, and wider facts may make the shapes right too.
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (row.operands[i].kind == OperandKind::kTensorDef ||
        row.operands[i].kind == OperandKind::kTensorDefs) {
      context_->set_unknown(static_cast<int>(i));
    }
  }
  set_results(index, *context_);
  slots_.for_each_definition(index, [&](int slot) {
    if (known_.get(slot)->kind == Facts::Kind::kSize) {
      known_.set(slot, keep({Facts::Kind::kSize, {}, known_.unknown_extent()}));
    }
  });
}

void FlowCheck::set_all_results(std::size_t instruction, const Facts& facts) {
  const Facts* kept = keep(facts);
  slots_.for_each_definition(instruction, [&](int slot) { known_.set(slot, kept); });
}

void FlowCheck::set_tensor(std::size_t instruction, std::int64_t reg,
                           const semantics::TensorFacts& facts) {
  const auto index = static_cast<std::size_t>(reg);
  std::optional<DType>& dtype = program_.registers[index].dtype;
  if (!dtype) {
    dtype = facts.dtype;
    first_definition_[index] = instruction;
  } else if (*dtype != facts.dtype) {
    fail(instruction,
         make_error(ErrorCode::kVerification,
                    "{}: a register has one element type: r{} becomes {} here and {} at {}",
                    isa::info(program_.instructions[instruction].opcode).mnemonic, reg,
                    name(facts.dtype), name(*dtype), program_.describe(first_definition_[index])));
    known_.set(static_cast<int>(reg), keep({Facts::Kind::kWrong, {}, {}}));
    return;
  }
  if (reporting_) {
    note_rank(index, facts);
  }
  known_.set(static_cast<int>(reg), keep({Facts::Kind::kTensor, facts, {}}));
}

/// The last visit, which sees each reachable instruction once, knows what holds on all paths.
void FlowCheck::note_rank(std::size_t reg, const semantics::TensorFacts& facts) {
  std::optional<std::size_t>& rank = program_.registers[reg].rank;
  if (!has_noted_rank_[reg]) {
    has_noted_rank_[reg] = true;
    rank = facts.rank_known ? std::optional(facts.shape.size()) : std::nullopt;
  } else if (!facts.rank_known || rank != facts.shape.size()) {
    rank.reset();
  }
}

void FlowCheck::set_results(std::size_t index, const semantics::InferenceContext& context) {
  static const Facts kWritten{};
  slots_.for_each_definition(index, [&](int slot) {
    if (!slots_.is_register(slot)) {
      known_.set(slot, &kWritten);
    }
  });
  const isa::Instruction& instruction = program_.instructions[index];
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    const isa::Operand& operand = instruction.operands[i];
    const int position = static_cast<int>(i);
    if (!row.operands[i].is_definition() || !operand.given()) {
      continue;
    }
    if (operand.form == Form::kList) {
      for (std::size_t part = 0; part < operand.list.size(); ++part) {
        if (operand.list[part].given()) {
          set_tensor(index, operand.list[part].number,
                     context.result(position, static_cast<int>(part)));
        }
      }
    } else if (program_.registers[static_cast<std::size_t>(operand.number)].kind ==
               RegisterKind::kSize) {
      known_.set(static_cast<int>(operand.number),
                 keep({Facts::Kind::kSize, {}, context.size_result()}));
    } else {
      set_tensor(index, operand.number, context.result(position));
    }
  }
  if (const int counter = slots_.counted_register(index); counter >= 0) {
    known_.set(counter, keep({Facts::Kind::kSize, {}, known_.unknown_extent()}));
  }
}

}  // namespace

Status check_flow(Program& program, const ControlFlow& flow, const Slots& slots, Report report) {
  PLIANT_ASSIGN_OR_RETURN(std::vector<std::vector<int>> live,
                          find_live_slots(program, flow, slots));
  FlowCheck(program, flow, slots, report, std::move(live)).run();
  return {};
}

}  // namespace pliant::verify
