#pragma once

#include <span>

#include "plan/bound_run.h"

namespace pliant::plan {

/// Is told how a run of a plan gets on, by the thread that runs it, so that it can look at a clock.
class RunRecorder {
 public:
  virtual ~RunRecorder() = default;
  /// Kernels are about to run; what came before was finding or making the bound run.
  virtual void bound(bool newly_bound) = 0;
  /// A call that had work to do has returned; or several that ran together, block of rows by block of
  /// rows, with the threads of the pool each in another call: their time is one.
  virtual void called(std::span<const CallOrigin> calls) = 0;

 protected:
  RunRecorder() = default;
  RunRecorder(const RunRecorder&) = default;
  RunRecorder& operator=(const RunRecorder&) = default;
};

}  // namespace pliant::plan
