#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "interp/interpreter.h"
#include "plan/run.h"
#include "plan/workspace.h"
#include "session/run_observer.h"
#include "session/run_trace.h"
#include "session/segment_start.h"

namespace pliant::session {

/// Runs a program with plans where there are any, and with the interpreter elsewhere. The only place
/// where the tiers meet. Thread-safe.
class PlannedProgram {
 public:
  /// `environment` and `log` name what the caller keeps alive; so are the options.
  PlannedProgram(const VerifiedProgram& program, const plan::Environment& environment,
                 const PlanOptions& options, EventLog& log);

  /// How one run goes.
  struct Manner {
    Tier tier = Tier::kAuto;
    RunObserver* observer = nullptr;  ///< null: nobody is told
    RunTrace* trace = nullptr;        ///< null: no times are taken
  };
  [[nodiscard]] Result<std::vector<StoredTensor>> run(
      const interp::Interpreter::Arguments& arguments, const Manner& manner);

  /// Waits until nothing is left to compile in the background.
  void finish_compiling() { thread_.finish(); }
  std::size_t trim() { return workspaces_.trim(); }
  [[nodiscard]] PlanStatistics statistics() const;

  /// Signatures and value ranges that were recorded.
  [[nodiscard]] shapes::Profile profile() const;
  [[nodiscard]] ValueRanges& value_ranges() { return ranges_; }
  [[nodiscard]] const Program& program() const { return *program_; }
  [[nodiscard]] const Planning& planning() const { return planning_; }
  [[nodiscard]] const CompileHistory& compile_history() const { return history_; }
  [[nodiscard]] const plan::Environment& environment() const { return environment_; }

  /// Where a segment may begin at an instruction of the program.
  [[nodiscard]] SegmentStart& start_at(std::size_t instruction);
  /// The segments that exist, in the order of the program; those for single values follow the ones
  /// for all values.
  [[nodiscard]] std::vector<SegmentPlans*> segments() const;

 private:
  /// At load: the segments that every run comes to and whose ranks are known.
  void compile_floors();

  /// All that is known of each place where a segment begins, in the order of the program.
  [[nodiscard]] std::vector<const SegmentVariant*> variants() const;

  /// What came of the attempt to execute a segment by a plan.
  struct Attempt {
    bool succeeded = false;
    std::size_t resume = 0;        ///< if not: the next place to look for a plan
    std::optional<Error> refusal;  ///< if not, and a plan was demanded: what to say if the
                                   ///< interpreter finds nothing wrong up to `resume`
  };
  [[nodiscard]] Result<Attempt> run_plan(interp::Execution& execution, plan::Workspace& workspace,
                                         const interp::Interpreter::Arguments& arguments,
                                         const Manner& manner);
  [[nodiscard]] const SegmentVariant* segment_at(SegmentStart& start,
                                                 const interp::Execution& execution, Tier tier);
  /// A plan, with what it is to be given in the workspace.
  struct Choice {
    SegmentPlans* segment = nullptr;
    SegmentPlans::CachedPlan plan;  ///< null: the interpreter
  };
  /// The plan for the values of this run, where values decide; none if there is no such plan.
  [[nodiscard]] std::optional<Choice> choose_exact(ExactSegment& exact,
                                                   const interp::Execution& execution,
                                                   plan::Workspace& workspace,
                                                   const Manner& manner) const;
  [[nodiscard]] Result<Choice> choose(const SegmentVariant& variant,
                                      const interp::Execution& execution,
                                      plan::Workspace& workspace, const Manner& manner) const;
  /// The first place in [first, limit) where a segment is known to begin, or `limit`.
  [[nodiscard]] std::size_t next_start(std::size_t first, std::size_t limit) const;
  /// Whether what is missing is compiled by the run that misses it.
  [[nodiscard]] bool compiles_in_runs(Tier tier) const {
    return tier != Tier::kAuto || planning_.options.compiling == Compiling::kSync;
  }
  [[nodiscard]] Error no_segment(std::size_t instruction, Tier tier) const;
  /// Executes one instruction.
  [[nodiscard]] static Status step(interp::Execution& execution, RunTrace* trace);

  VerifiedProgram program_;
  plan::Environment environment_;
  plan::CompileOptions options_;
  plan::RegisterUses uses_;
  std::vector<std::size_t> limits_;  ///< by instruction: where the stretch without labels ends
  interp::Interpreter interpreter_;
  plan::Workspaces workspaces_;
  ValueRanges ranges_;
  std::optional<SelfCheck> self_check_;
  CompileHistory history_;
  Planning planning_;

  // By instruction. Each is made once, under the lock, and stays; runs read the pointers without it.
  std::vector<std::atomic<SegmentStart*>> starts_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<SegmentStart>> owned_starts_;  // guarded by mutex_

  CompileThread thread_;  // the last member: its tasks use the others
};

}  // namespace pliant::session
