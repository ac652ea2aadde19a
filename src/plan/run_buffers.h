#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "plan/bound_run.h"
#include "plan/plan.h"

namespace pliant::plan {

/// The memory of a run that is being laid out: which buffers there are, and from which step to which
/// each is needed. Steps are entered in order; those that run together need all of their memory at
/// the same time.
class RunBuffers {
 public:
  /// Both outlive this. Starts with no buffer.
  RunBuffers(const Plan& plan, BoundRun& run);

  /// What follows happens at this step; the number of steps stands for the time after the last.
  void enter(int step);
  [[nodiscard]] bool runs_together() const { return together_first_ != together_last_; }
  /// Whether all of it is what a machine may have, and can be told apart by addresses.
  [[nodiscard]] bool fits() const { return fits_; }

  /// The caller's memory, in the order of Plan::live_ins.
  void add_live_in(const TensorView& view);
  /// A buffer that is needed at this step; returns its position in BoundRun::buffers.
  int add(const TensorView& view) { return add(bytes_of(view)); }
  int add(std::size_t bytes);
  /// Scratch memory of this step; returns its position in BoundRun::blocks, -1 for none.
  int add_scratch(std::size_t bytes);
  /// A tensor, or a buffer, is needed up to this step.
  void touch(const TensorView& view);
  void touch(int buffer);

  [[nodiscard]] Buffer& at(int buffer) { return run_.buffers[static_cast<std::size_t>(buffer)]; }
  [[nodiscard]] const Buffer& at(int buffer) const {
    return run_.buffers[static_cast<std::size_t>(buffer)];
  }
  /// The buffer of one of `lenders` (the first of `inputs`) that nobody needs after this step and
  /// that lies as `result` does.
  [[nodiscard]] std::optional<int> dying(const TensorView& result,
                                         std::span<const StepInput> lenders,
                                         std::span<const TensorView> inputs) const;
  /// A buffer of the arena becomes fresh memory that the run leaves behind.
  void hand_out(int buffer, int live_out);

  /// Sizes come from outside, and a view may have more elements than any memory: more than fits()
  /// allows then.
  [[nodiscard]] static std::size_t bytes_of(const TensorView& view);

 private:
  void add_block(std::size_t bytes);

  const Plan& plan_;
  BoundRun& run_;
  int together_first_ = 0;  ///< the steps that run together with this one
  int together_last_ = -1;
  bool fits_ = true;
};

}  // namespace pliant::plan
