#include "session/planned_program.h"

#include <algorithm>

#include "isa/info.h"

namespace pliant::session {
namespace {

/// For each instruction the next one, or the end, into which a label leads: segments do not go
/// beyond.
std::vector<std::size_t> find_limits(const Program& program) {
  const std::size_t count = program.instructions.size();
  std::vector<bool> labelled(count + 1, false);
  for (const isa::Instruction& instruction : program.instructions) {
    const isa::InstructionInfo& row = isa::info(instruction.opcode);
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      if (row.operands[i].kind == isa::OperandKind::kLabel) {
        labelled[static_cast<std::size_t>(instruction.operands[i].number)] = true;
      }
    }
  }
  std::vector<std::size_t> limits(count);
  std::size_t limit = count;
  for (std::size_t i = count; i-- > 0;) {
    limits[i] = limit;
    const bool control = isa::info(program.instructions[i].opcode).instruction_class ==
                         isa::InstructionClass::kControl;
    if (labelled[i] || control) {
      limit = i;
    }
  }
  return limits;
}

/// Gives a workspace back on every way out.
class BorrowedWorkspace {
 public:
  explicit BorrowedWorkspace(plan::Workspaces& owner) : owner_(owner), workspace_(owner.take()) {}
  BorrowedWorkspace(const BorrowedWorkspace&) = delete;
  BorrowedWorkspace& operator=(const BorrowedWorkspace&) = delete;
  ~BorrowedWorkspace() { owner_.give_back(std::move(workspace_)); }
  [[nodiscard]] plan::Workspace& operator*() { return *workspace_; }

 private:
  plan::Workspaces& owner_;
  std::unique_ptr<plan::Workspace> workspace_;
};

}  // namespace

PlannedProgram::PlannedProgram(const VerifiedProgram& program, const plan::Environment& environment,
                               const plan::CompileOptions& options)
    : program_(program),
      environment_(environment),
      options_(options),
      uses_(*program_),
      limits_(find_limits(*program_)),
      interpreter_(program, interp::Environment{environment.pool, environment.parallel,
                                                environment.level, environment.packed}),
      starts_(program_->instructions.size()) {
  if (!starts_.empty() && start_at(0).has_known_ranks()) {
    start_at(0).prepare();
  }
}

SegmentStart& PlannedProgram::start_at(std::size_t instruction) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<SegmentStart>& start = starts_[instruction];
  if (start == nullptr) {
    start = std::make_unique<SegmentStart>(*program_, uses_, instruction, limits_[instruction],
                                           options_);
  }
  return *start;
}

bool PlannedProgram::run_plan(interp::Execution& execution, plan::Workspace& workspace,
                              std::uint64_t run_number, std::size_t& resume) {
  const std::shared_ptr<const Segment> segment = start_at(execution.next()).segment_for(execution);
  if (segment == nullptr || segment->floor() == nullptr) {
    resume = execution.next() + 1;
    return false;
  }
  resume = segment->end();
  segment->gather(execution, workspace.signature, workspace.tensors);
  plan::RunResults results;
  const plan::DeclineReason reason =
      plan::run(*segment->floor(), {workspace.signature, workspace.tensors, run_number},
                environment_, workspace, results);
  workspace.tensors.clear();
  if (reason != plan::DeclineReason::kNone) {
    return false;
  }
  Segment::scatter(*segment->floor(), results, execution);
  return true;
}

Result<std::vector<StoredTensor>> PlannedProgram::run(
    const interp::Interpreter::Arguments& arguments) {
  interp::Execution execution = interpreter_.begin(arguments);
  BorrowedWorkspace workspace(workspaces_);
  std::size_t resume = 0;
  while (!execution.has_ended()) {
    const std::size_t here = execution.next();
    if (here == resume && run_plan(execution, *workspace, arguments.run_number, resume)) {
      continue;
    }
    PLIANT_RETURN_IF_ERROR(execution.step());
    if (execution.next() != here + 1) {
      resume = execution.next();  // a branch
    }
  }
  return execution.take_outputs();
}

}  // namespace pliant::session
