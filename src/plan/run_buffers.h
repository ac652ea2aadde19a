#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "plan/bound_run.h"
#include "plan/place.h"
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
  void enter(int step) {
    if (step > together_last_) {
      together_first_ = step;
      together_last_ = step < static_cast<int>(plan_.last_together.size())
                           ? plan_.last_together[static_cast<std::size_t>(step)]
                           : step;
    }
  }
  [[nodiscard]] bool runs_together() const { return together_first_ != together_last_; }
  /// Whether all of it is what a machine may have, and can be told apart by addresses.
  [[nodiscard]] bool fits() const { return fits_; }

  /// The caller's memory, in the order of Plan::live_ins.
  void add_live_in(const TensorView& view);
  /// A buffer that is needed at this step; returns its position in BoundRun::buffers.
  int add(const TensorView& view) { return add(bytes_of(view)); }
  int add(std::size_t bytes) {
    add_block(bytes);
    fits_ = fits_ && run_.buffers.size() < kMostPlaceBuffers;
    run_.buffers.push_back({Buffer::Kind::kArena, static_cast<int>(run_.blocks.size()) - 1, bytes});
    return static_cast<int>(run_.buffers.size()) - 1;
  }
  /// Scratch memory of this step; returns its position in BoundRun::blocks, -1 for none.
  int add_scratch(std::size_t bytes);
  /// A tensor, or a buffer, is needed up to this step.
  void touch(const TensorView& view) {
    if (is_place(view.data)) {
      touch(buffer_at(view.data));
    }
  }
  void touch(int buffer) { touch(buffer, together_last_); }
  /// A buffer is needed up to `last_step`.
  void touch(int buffer, int last_step) {
    if (at(buffer).kind == Buffer::Kind::kArena) {
      run_.blocks[static_cast<std::size_t>(at(buffer).index)].last_step = last_step;
    }
  }

  [[nodiscard]] Buffer& at(int buffer) { return run_.buffers[static_cast<std::size_t>(buffer)]; }
  [[nodiscard]] const Buffer& at(int buffer) const {
    return run_.buffers[static_cast<std::size_t>(buffer)];
  }
  /// The buffer of one of `lenders` (the first of `inputs`) that nobody needs after this step and
  /// that lies as `result` does.
  [[nodiscard]] std::optional<int> dying(const TensorView& result,
                                         std::span<const StepInput> lenders,
                                         std::span<const TensorView> inputs) const;
  /// How many there are.
  struct Count {
    std::size_t buffers = 0;
    std::size_t blocks = 0;
    bool operator==(const Count&) const = default;
  };
  [[nodiscard]] Count count() const { return {run_.buffers.size(), run_.blocks.size()}; }
  /// What was added since `second` has come again since what was added between `first` and
  /// `second`, `period` steps later, and comes `times` more. Buffers of each period are needed by
  /// steps of its own and the next one.
  void repeat(const Count& first, const Count& second, int period, int times);

  /// A buffer of the arena becomes fresh memory that the run leaves behind.
  void hand_out(int buffer, int live_out);

  /// Sizes come from outside, and a view may have more elements than any memory: more than fits()
  /// allows then.
  [[nodiscard]] static std::size_t bytes_of(const TensorView& view);

 private:
  /// No machine has more; sums of so much cannot overflow, and places reach as far.
  static constexpr std::size_t kMostBytes = kPlaceReach - 1;

  void add_block(std::size_t bytes) {
    fits_ = fits_ && bytes <= kMostBytes;
    run_.blocks.push_back({bytes, together_first_, together_last_, 0});
  }

  const Plan& plan_;
  BoundRun& run_;
  int together_first_ = 0;  ///< the steps that run together with this one
  int together_last_ = -1;
  bool fits_ = true;
};

}  // namespace pliant::plan
