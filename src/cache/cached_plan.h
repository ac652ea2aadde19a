#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "shapes/box.h"
#include "shapes/breadth.h"

namespace pliant::plan {
class Plan;
}

namespace pliant::cache {

/// A plan in a cache: the box that it was compiled for, and when it was used. Whoever holds one
/// keeps the plan alive, also after eviction.
class CachedPlan {
 public:
  CachedPlan(shapes::Box box, shapes::Breadth breadth, std::shared_ptr<const plan::Plan> plan,
             bool is_floor)
      : box_(std::move(box)),
        breadth_(breadth),
        plan_(std::move(plan)),
        is_floor_(is_floor),
        log_size_(box_.log_size()) {}

  [[nodiscard]] const shapes::Box& box() const { return box_; }
  [[nodiscard]] shapes::Breadth breadth() const { return breadth_; }
  [[nodiscard]] const std::shared_ptr<const plan::Plan>& plan() const { return plan_; }
  [[nodiscard]] bool is_floor() const { return is_floor_; }

  /// The tick of the budget's clock at which it was last found or inserted.
  [[nodiscard]] std::uint64_t last_used() const {
    return last_used_.load(std::memory_order_relaxed);
  }
  /// Runs may be in this function at once; a tick that overtakes another does no harm.
  void touch(std::uint64_t tick) { last_used_.store(tick, std::memory_order_relaxed); }

  /// Whether `a` is preferred to `b` where both cover a signature: exact before bucketed before
  /// any size, then the narrower one, then some fixed order.
  [[nodiscard]] static bool is_preferred(const CachedPlan& a, const CachedPlan& b) {
    if (a.breadth_ != b.breadth_) {
      return a.breadth_ < b.breadth_;
    }
    if (a.log_size_ != b.log_size_) {
      return a.log_size_ < b.log_size_;
    }
    return a.box_ < b.box_;
  }

 private:
  shapes::Box box_;
  shapes::Breadth breadth_;
  std::shared_ptr<const plan::Plan> plan_;
  bool is_floor_;
  double log_size_;
  // Relaxed: it orders evictions and publishes nothing.
  std::atomic<std::uint64_t> last_used_{0};
};

}  // namespace pliant::cache
