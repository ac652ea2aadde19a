#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "interp/interpreter.h"
#include "plan/run.h"
#include "plan/workspace.h"
#include "session/segment_start.h"

namespace pliant::session {

/// Runs a program with plans where there are any, and with the interpreter elsewhere. The only place
/// where the tiers meet. Thread-safe.
class PlannedProgram {
 public:
  /// `environment` names what the caller keeps alive.
  PlannedProgram(const VerifiedProgram& program, const plan::Environment& environment,
                 const plan::CompileOptions& options);

  [[nodiscard]] Result<std::vector<StoredTensor>> run(
      const interp::Interpreter::Arguments& arguments);

  std::size_t trim() { return workspaces_.trim(); }

 private:
  [[nodiscard]] SegmentStart& start_at(std::size_t instruction);
  /// True when a plan has executed the segment that begins at the next instruction. Otherwise
  /// `resume` is where to look for a plan again.
  bool run_plan(interp::Execution& execution, plan::Workspace& workspace, std::uint64_t run_number,
                std::size_t& resume);

  VerifiedProgram program_;
  plan::Environment environment_;
  plan::CompileOptions options_;
  plan::RegisterUses uses_;
  std::vector<std::size_t> limits_;  ///< by instruction: where the stretch without labels ends
  interp::Interpreter interpreter_;
  plan::Workspaces workspaces_;

  std::mutex mutex_;
  std::vector<std::unique_ptr<SegmentStart>> starts_;  // by instruction; guarded by mutex_
};

}  // namespace pliant::session
