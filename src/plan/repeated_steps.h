#pragma once

#include <array>

#include "plan/bound_run.h"
#include "plan/plan.h"
#include "plan/run_buffers.h"

namespace pliant::plan {

/// Lays out steps as the earlier ones that they are like (see find_like_steps()) were laid out, but
/// with their own tensors: no operator is asked again. A chain of tiny steps at a new signature costs
/// little more than its copy.
class RepeatedSteps {
 public:
  /// All outlive this. `scratchpad` and `run` are being filled.
  RepeatedSteps(const Plan& plan, Scratchpad& scratchpad, BoundRun& run, RunBuffers& buffers)
      : plan_(plan), scratchpad_(scratchpad), run_(run), buffers_(buffers) {}

  /// Adds the step that RunBuffers is at. False, and nothing is added, when it is like none or when
  /// its tensors lie in other ways.
  [[nodiscard]] bool add(int step);
  /// Before each step, first and last included: if the periods of a repetition (Plan::repetitions)
  /// before it have been laid out alike, adds all that are left of them. Returns how many steps.
  [[nodiscard]] int add_periods(int step);

 private:
  /// How much there was before a period.
  struct Mark {
    RunBuffers::Count memory;
    std::size_t calls = 0;
    std::size_t addresses = 0;

    friend Mark operator-(const Mark& a, const Mark& b) {
      return {{a.memory.buffers - b.memory.buffers, a.memory.blocks - b.memory.blocks},
              a.calls - b.calls,
              a.addresses - b.addresses};
    }
    bool operator==(const Mark&) const = default;
  };
  [[nodiscard]] Mark mark() const;
  /// Whether a buffer is of the last two periods.
  [[nodiscard]] bool comes_again(int buffer) const {
    return buffer >= static_cast<int>(before_last_period_.memory.buffers);
  }
  [[nodiscard]] int buffers_per_period() const {
    return static_cast<int>(this_period_.memory.buffers - last_period_.memory.buffers);
  }
  [[nodiscard]] void* shifted(const void* address, int periods) const;
  [[nodiscard]] bool goes_on(int end, int period) const;
  void repeat_last_period(const Repetition& repetition, int end, int times);
  void touch_older_buffers(int end, int period, int times);
  void repeat_addresses(std::size_t distance, int times);
  void repeat_call_information(int period, int times);
  void repeat_steps(const Repetition& repetition, int end, int times);
  [[nodiscard]] int result_of(int step, int index) const;

  [[nodiscard]] bool add_like(int step);
  [[nodiscard]] bool inputs_lie_alike(const int* before, const int* now, int count);
  [[nodiscard]] bool lend_alike(const int* before, const LikeStep& step);
  void add_view(const int* before, const int* now, int count);
  void add_results(const LikeStep& step, const int* before, const int* now);
  void add_call(int index, const LaidOutStep& earlier);

  static constexpr std::size_t kMostBuffers = LikeStep::kMaxInputs + LikeStep::kMaxResults;

  std::size_t next_repetition_ = 0;
  int alike_in_a_row_ = 0;  ///< steps that add() has just added
  Mark before_last_period_;
  Mark last_period_;
  Mark this_period_;

  const Plan& plan_;
  Scratchpad& scratchpad_;
  BoundRun& run_;
  RunBuffers& buffers_;
  /// The buffers of inputs, then of results that have their own, of the earlier step and of this one.
  std::array<int, kMostBuffers> old_buffers_{};
  std::array<int, kMostBuffers> new_buffers_{};
  int buffer_count_ = 0;
  /// By result: the input whose buffer it lies in, or -1.
  std::array<int, LikeStep::kMaxResults> lenders_{};
};

}  // namespace pliant::plan
