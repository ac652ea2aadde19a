#pragma once

#include "plan/bound_run.h"

namespace pliant::plan {

/// Is told how a run of a plan gets on, by the thread that runs it, so that it can look at a clock.
class RunRecorder {
 public:
  virtual ~RunRecorder() = default;
  /// Kernels are about to run; what came before was finding or making the bound run.
  virtual void bound(bool newly_bound) = 0;
  /// A call that had work to do has returned. Calls that run together are told one after the other
  /// when all have returned: the first has the time of all.
  virtual void called(CallOrigin origin) = 0;

 protected:
  RunRecorder() = default;
  RunRecorder(const RunRecorder&) = default;
  RunRecorder& operator=(const RunRecorder&) = default;
};

}  // namespace pliant::plan
