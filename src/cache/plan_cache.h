#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <vector>

#include "cache/cache_statistics.h"
#include "cache/cached_plan.h"
#include "cache/plan_budget.h"
#include "cache/signature_memory.h"
#include "shapes/box.h"

namespace pliant::cache {

/// The plans of one segment, by the boxes that they were compiled for. Plans compiled ahead of time
/// and at run time live here alike. Keys are boxes of this segment only, so nothing of another
/// segment, program or session can be found.
///
/// At most `max_plans` are kept, and those of all segments fit the shared budget; the least
/// recently used goes first. Floors are exempt from both. A plan in use is never freed: lookups
/// share ownership.
///
/// Thread-safe. find() takes a shared lock, so runs do not wait for each other; a repeated
/// signature costs a hash, a comparison and a few atomic operations.
class PlanCache {
 public:
  /// Told of each plan that is evicted, on the thread that inserted or enforced the budget, while
  /// no lock of the cache or budget is held.
  using EvictionListener = std::function<void(const CachedPlan&)>;

  /// `max_plans` >= 1.
  PlanCache(std::span<const shapes::Entry> entries, std::size_t max_plans,
            std::shared_ptr<PlanBudget> budget, EvictionListener on_evicted = nullptr);
  ~PlanCache();
  PlanCache(const PlanCache&) = delete;
  PlanCache& operator=(const PlanCache&) = delete;

  /// The best plan that covers a signature: exact before bucketed before any size, narrower first.
  /// Null, and counted as a miss, when there is none.
  [[nodiscard]] std::shared_ptr<const CachedPlan> find(shapes::Signature signature);

  /// The best plan of one breadth that covers a signature, for a tier chosen by hand.
  [[nodiscard]] std::shared_ptr<const CachedPlan> find_of(shapes::Breadth breadth,
                                                          shapes::Signature signature);

  /// Whether there is a plan for exactly this box. Does not count as a use.
  [[nodiscard]] bool holds(const shapes::Box& box) const;

  enum class Insertion : std::uint8_t {
    kAdded,
    kReplaced,  ///< another plan for the same box
    kTooLarge,  ///< it alone is over the budget, and was not kept
  };

  /// Adds a plan as the most recently used one, and evicts what has become too much. One for a
  /// floor's box becomes the floor.
  Insertion insert(shapes::Box box, std::shared_ptr<const plan::Plan> plan);

  /// Adds a plan that stays as long as the cache and counts towards no limit.
  Insertion insert_floor(shapes::Box box, std::shared_ptr<const plan::Plan> plan);

  /// Takes the plan for a box out, without telling the listener; false when there is none.
  bool remove(const shapes::Box& box);

  /// All plans, in the order in which they are preferred.
  [[nodiscard]] std::vector<std::shared_ptr<const CachedPlan>> plans() const;

  [[nodiscard]] CacheStatistics statistics() const;

 private:
  friend class PlanBudget;  // weighs the plans, and evicts when those of the session do not fit

  using Plans = std::vector<std::shared_ptr<CachedPlan>>;

  std::shared_ptr<CachedPlan> best(shapes::Signature signature) const;
  std::shared_ptr<const CachedPlan> use(std::shared_ptr<CachedPlan> plan);
  /// Under the lock; `gone` receives what it replaces.
  Insertion put(shapes::Box box, std::shared_ptr<const plan::Plan> plan, bool is_floor,
                Plans& gone);
  /// Index into plans_ of the plan that goes first; none when there are only floors.
  [[nodiscard]] std::optional<std::size_t> least_recently_used() const;
  std::shared_ptr<CachedPlan> take_out(std::size_t index);

  // For the budget.
  [[nodiscard]] std::size_t plan_bytes() const;
  [[nodiscard]] std::optional<std::uint64_t> least_recent_use() const;
  [[nodiscard]] std::shared_ptr<CachedPlan> evict_for_bytes();
  [[nodiscard]] const EvictionListener& listener() const { return on_evicted_; }

  const std::vector<shapes::Entry> entries_;
  const std::size_t max_plans_;
  const std::shared_ptr<PlanBudget> budget_;
  const EvictionListener on_evicted_;

  mutable std::shared_mutex mutex_;
  Plans plans_;                  // guarded by mutex_; the preferred first
  std::size_t floor_count_ = 0;  // guarded by mutex_; of plans_
  SignatureMemory memory_;       // guarded by mutex_
  CacheStatistics changes_;      // guarded by mutex_; insertions and evictions only

  // Relaxed: counted by all runs at once, read for statistics only.
  std::array<std::atomic<std::uint64_t>, shapes::kBreadthCount> hits_{};
  std::atomic<std::uint64_t> misses_{0};
};

}  // namespace pliant::cache
