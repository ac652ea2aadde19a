#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "plan/run_recorder.h"
#include "session/compile_history.h"
#include "session/segment_plans.h"

namespace pliant::session {

/// Writes down when each part of one run began and ended: segments, calls of kernels, instructions
/// of the interpreter, and compiles that went on beside it. Used by the thread of the run.
class RunTrace final : public plan::RunRecorder {
 public:
  using Time = CompileHistory::Time;

  /// The run begins. The program must outlive this.
  explicit RunTrace(const Program& program);

  /// A plan is about to run.
  void begin_plan() { last_ = Clock::now(); }
  void bound(bool newly_bound) override;
  void called(std::span<const plan::CallOrigin> calls) override;
  /// The plan has run; or has given up, if there is a reason.
  void end_plan(const SegmentPlans& segment, const cache::CachedPlan& plan,
                std::string_view reason);

  /// The interpreter is about to execute an instruction, and has done so.
  void begin_instruction() { last_ = Clock::now(); }
  void end_instruction(std::size_t instruction);

  /// The run has ended: everything as JSON in the trace event format of Chromium, which Perfetto
  /// and chrome://tracing open. Times are microseconds.
  [[nodiscard]] std::string json(const CompileHistory& compiles) const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Slice {
    std::string name;
    const char* category = "";
    Time begin;
    Time end;
    std::vector<std::pair<const char*, std::string>> details;
  };
  /// Calls that have one time: almost always one.
  struct Calls {
    std::vector<plan::CallOrigin> origins;
    Time begin;
    Time end;
  };
  /// `next`: the calls behind them; null if there are none.
  [[nodiscard]] Slice slice_of(const plan::Plan& plan, const Calls& calls, const Calls* next) const;

  void add(Slice slice) { slices_.push_back(std::move(slice)); }

  const Program& program_;
  const Time begin_;
  Time last_;  ///< when what goes on now began
  bool newly_bound_ = false;
  Time bound_from_;           ///< finding or making a bound run took from here
  Time bound_to_;             ///< to here
  std::vector<Calls> calls_;  ///< of the plan that runs now
  std::vector<Slice> slices_;
};

}  // namespace pliant::session
