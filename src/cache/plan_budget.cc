#include "cache/plan_budget.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "cache/plan_cache.h"

namespace pliant::cache {

PlanBudget::PlanBudget(std::size_t max_bytes, ByteSize weigh)
    : max_bytes_(max_bytes), weigh_(weigh) {
  PLIANT_CHECK(max_bytes_ >= 1);
}

std::size_t PlanBudget::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_locked();
}

std::size_t PlanBudget::bytes_locked() const {
  std::size_t bytes = 0;
  for (const PlanCache* cache : caches_) {
    bytes += cache->plan_bytes();
  }
  return bytes;
}

std::size_t PlanBudget::enforce() {
  // Listeners run, and plans die, after the lock is free.
  std::vector<std::pair<PlanCache::EvictionListener, std::shared_ptr<CachedPlan>>> evicted;
  {
    const std::lock_guard lock(mutex_);
    while (bytes_locked() > max_bytes_) {
      PlanCache* oldest = nullptr;
      std::uint64_t oldest_use = 0;
      for (PlanCache* cache : caches_) {
        const std::optional<std::uint64_t> use = cache->least_recent_use();
        if (use && (oldest == nullptr || *use < oldest_use)) {
          oldest = cache;
          oldest_use = *use;
        }
      }
      if (oldest == nullptr) {
        break;  // another thread evicted what was too much
      }
      if (auto plan = oldest->evict_for_bytes()) {
        evicted.emplace_back(oldest->listener(), std::move(plan));
      }
    }
  }
  for (const auto& [listener, plan] : evicted) {
    if (listener) {
      listener(*plan);
    }
  }
  return evicted.size();
}

void PlanBudget::join(PlanCache& cache) {
  const std::lock_guard lock(mutex_);
  caches_.push_back(&cache);
}

void PlanBudget::leave(PlanCache& cache) {
  const std::lock_guard lock(mutex_);
  caches_.erase(std::find(caches_.begin(), caches_.end(), &cache));
}

}  // namespace pliant::cache
