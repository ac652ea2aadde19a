#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "bind/elementwise_group.h"
#include "bind/operator.h"
#include "plan/graph.h"
#include "plan/shape_program.h"
#include "shapes/box.h"

namespace pliant::plan {

/// A tensor that a step reads: a value of the plan, or a size that stands as a 0-d i64 tensor.
struct StepInput {
  int operand = 0;    ///< position in the instruction
  int value = -1;     ///< into Plan::values, or -1:
  Slot size;          ///< the size that stands here
  bool dies = false;  ///< computed by the plan, and no later step needs its memory
};

/// A result of a step.
struct StepOutput {
  int operand = 0;  ///< position in the instruction
  int part = 0;     ///< position in a list of results
  int value = -1;   ///< -1: absent
  bool wanted = false;
};

/// The Sizes, Size or Numbers operand of a step.
struct StepSizes {
  int operand = 0;
  std::vector<Slot> values;
};
struct StepNumbers {
  int operand = 0;
  std::vector<double> values;
};

/// One instruction of a step. The first of a step runs by its operator; others have joined it.
struct StepInstruction {
  isa::Instruction instruction;  ///< tensors are values (Form::kRegister), sizes are extents
  std::vector<StepInput> inputs;
  std::vector<StepOutput> outputs;
  std::vector<StepSizes> sizes;
  std::vector<StepNumbers> numbers;
};

/// What a plan does in one go: a view, a kernel, or a kernel whose result goes through a group of
/// elementwise instructions, or such a group alone.
struct Step {
  std::vector<StepInstruction> instructions;
  const bind::Operator* op = nullptr;  ///< of the first instruction; null when all are the group
  bool is_view = false;
  bool is_random = false;
  std::size_t origin = 0;  ///< instruction of the program, for messages and random numbers

  std::optional<bind::ElementwiseGroup> group;
  std::vector<StepInput> group_inputs;  ///< the operands of the group
  std::vector<int> group_results;       ///< values

  int rows_with_next = 0;  ///< Node::rows_with_next
};

/// What is fixed about a value of a plan.
struct PlanValue {
  Value::Kind kind = Value::Kind::kComputed;
  int index = 0;  ///< into Plan::live_ins or Plan::constants
  DType dtype = DType::kF32;
  std::vector<Slot> shape;
  std::optional<std::vector<Slot>> elements;  ///< of operands whose elements rules read
};

/// How a step is like an earlier one, see find_like_steps(). Its tensors stand in
/// Plan::like_values: inputs, then results (-1 for those that nobody wants).
struct LikeStep {
  static constexpr int kMaxInputs = 8;
  static constexpr int kMaxResults = 4;

  int like = -1;  ///< the earlier step, or -1
  int first = 0;  ///< into Plan::like_values
  int inputs = 0;
  int results = 0;
};

/// Steps that come again and again, see find_like_steps(): those of a period are like those of the one
/// before, step by step, and read nothing but what that period and their own have made, or what is
/// the same for all periods.
struct Repetition {
  /// A result of the third or a later period that may be asked for after the last one.
  struct Result {
    int step = 0;
    int result = 0;
  };
  int first = 0;   ///< step
  int period = 0;  ///< steps
  int times = 0;   ///< at least 3
  std::vector<Result> results;
};

/// A segment compiled for a box. Immutable; any number of runs share it. It borrows the program's
/// constants (their storage is shared) and points to kernels; extents are those of the run.
class Plan {
 public:
  shapes::Box box;
  const Program* program = nullptr;
  std::size_t first = 0;  ///< instructions of the program, [first, end)
  std::size_t end = 0;
  DeclineReason end_reason = DeclineReason::kNone;  ///< Graph::end_reason

  std::vector<shapes::Entry> entries;
  std::vector<EntrySource> entry_sources;
  std::vector<LiveIn> live_ins;
  std::vector<LiveOut> live_outs;
  std::vector<Slot> live_out_sizes;  ///< by live-out; used by size registers

  ShapeProgram shape_program{{}};
  std::vector<isa::Instruction> rules;  ///< Graph::rules
  std::vector<std::pair<Slot, shapes::Interval>> conditions;
  std::vector<Slot> extents;  ///< what Form::kSymbol stands for in instructions
  std::vector<PlanValue> values;
  std::vector<StoredTensor> constants;
  std::vector<bool> lasting_constants;  ///< Graph::lasting_constants
  std::vector<Step> steps;
  std::vector<int> last_together;  ///< by step: the last one that runs together with it, or itself
  std::vector<LikeStep> like_steps;  ///< by step
  std::vector<int> like_values;
  std::vector<Repetition> repetitions;  ///< one after the other

  std::uint64_t id = 0;  ///< of this plan alone in the process
  /// Bytes of the layouts that workspaces remember for it. The plan itself does not change: they keep
  /// count here because they are many. Relaxed: read for limits and statistics only.
  std::shared_ptr<std::atomic<std::size_t>> layout_bytes =
      std::make_shared<std::atomic<std::size_t>>(0);

  /// Bytes of the plan, of the layouts that are remembered for it, and not of constants and packed
  /// weights, which the program owns.
  [[nodiscard]] std::size_t byte_size() const;
};

}  // namespace pliant::plan
