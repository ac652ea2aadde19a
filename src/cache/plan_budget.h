#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace pliant::plan {
class Plan;
}

namespace pliant::cache {

class PlanCache;

/// The bytes that all plan caches of a session share, and the clock by which their plans grow old:
/// when the plans are too large together, the least recently used goes, whichever cache holds it.
///
/// Thread-safe. It must outlive its caches, which they see to by sharing it.
class PlanBudget {
 public:
  /// How many bytes a plan takes now; plans grow while they remember layouts.
  using ByteSize = std::size_t (*)(const plan::Plan&);

  /// `max_bytes` >= 1.
  PlanBudget(std::size_t max_bytes, ByteSize weigh);

  /// Bytes of all plans in the caches now, floors left out.
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::size_t max_bytes() const { return max_bytes_; }
  [[nodiscard]] std::size_t byte_size(const plan::Plan& plan) const { return weigh_(plan); }

  /// Evicts until the plans fit; returns how many went. insert() does so by itself; call it when
  /// plans may have grown. The listeners of caches that lose a plan are called on this thread.
  std::size_t enforce();

 private:
  friend class PlanCache;  // joins, leaves, and reads the clock

  void join(PlanCache& cache);
  void leave(PlanCache& cache);
  [[nodiscard]] std::uint64_t tick() { return clock_.fetch_add(1, std::memory_order_relaxed) + 1; }

  [[nodiscard]] std::size_t bytes_locked() const;

  const std::size_t max_bytes_;
  const ByteSize weigh_;
  // Relaxed: only the order of ticks counts. On a line of its own, as every run writes it.
  alignas(64) std::atomic<std::uint64_t> clock_{0};
  alignas(64) mutable std::mutex mutex_;  // taken before the lock of a cache, never after
  std::vector<PlanCache*> caches_;        // guarded by mutex_
};

}  // namespace pliant::cache
