#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#include "plan/bound_run.h"
#include "plan/environment.h"
#include "plan/plan.h"

namespace pliant::plan {

/// The memory of one plan run in flight: an arena that all plans of a session take turns in, and the
/// bound runs whose calls point into it. Used by one thread at a time.
class Workspace {
 public:
  /// Makes the arena at least this large. Growing moves it, so all bound runs are forgotten.
  /// kResourceExhausted when the pool has no more.
  Status reserve(const Environment& environment, std::size_t bytes);
  [[nodiscard]] std::byte* arena() const {
    return arena_ == nullptr ? nullptr : static_cast<std::byte*>(arena_->data());
  }
  [[nodiscard]] std::size_t arena_bytes() const {
    return arena_ == nullptr ? 0 : arena_->byte_size();
  }

  /// Called at the end of a run that needed so much; gives most of the arena back when runs have
  /// needed far less for a long time.
  void note_need(std::size_t bytes);

  /// What has been bound for a plan.
  [[nodiscard]] BoundRuns& bound_runs(const Plan& plan) {
    return bound_.try_emplace(plan.id, plan.layout_bytes).first->second;
  }
  void forget(std::uint64_t plan_id) { bound_.erase(plan_id); }
  void forget_all();
  [[nodiscard]] std::size_t bound_bytes() const;

  // Memory for binding, kept from run to run.
  std::uint64_t taken_at = 0;  ///< number of the first plan forgotten since it was taken
  Scratchpad scratchpad;
  std::vector<TensorView> live_ins;
  std::vector<std::byte*> live_outs;
  std::vector<std::int64_t> signature;
  std::vector<StoredTensor> tensors;

 private:
  std::shared_ptr<Storage> arena_;
  std::unordered_map<std::uint64_t, BoundRuns> bound_;  ///< by Plan::id
  std::size_t largest_need_ = 0;                        ///< since the count below began
  int runs_since_ = 0;
};

/// The workspaces of a session: as many as runs were ever in flight at once. Thread-safe.
class Workspaces {
 public:
  /// The one that was given back last (its memory is warm), or a new one.
  [[nodiscard]] std::unique_ptr<Workspace> take();
  void give_back(std::unique_ptr<Workspace> workspace);
  /// A plan is gone: what was bound for it goes at the next use of each workspace.
  void forget(std::uint64_t plan_id);
  /// Gives arenas and bound runs of idle workspaces back; returns the bytes of the arenas.
  std::size_t trim();
  /// Arenas of idle workspaces, and what is bound there.
  struct Statistics {
    std::size_t arena_bytes = 0;
    std::size_t bound_bytes = 0;
  };
  [[nodiscard]] Statistics statistics() const;

 private:
  mutable std::mutex mutex_;
  /// Drops what every workspace in flight has heard of.
  void shorten_forgotten();

  std::vector<std::unique_ptr<Workspace>> idle_;  // guarded by mutex_
  // Plans forgotten while workspaces were in flight, in order; the first has number first_forgotten_.
  std::deque<std::uint64_t> forgotten_;     // guarded by mutex_
  std::uint64_t first_forgotten_ = 0;       // guarded by mutex_
  std::multiset<std::uint64_t> in_flight_;  // guarded by mutex_: Workspace::taken_at of each
};

}  // namespace pliant::plan
