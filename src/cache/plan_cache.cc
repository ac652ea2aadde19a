#include "cache/plan_cache.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/check.h"

namespace pliant::cache {

PlanCache::PlanCache(std::span<const shapes::Entry> entries, std::size_t max_plans,
                     std::shared_ptr<PlanBudget> budget, EvictionListener on_evicted)
    : entries_(entries.begin(), entries.end()),
      max_plans_(max_plans),
      budget_(std::move(budget)),
      on_evicted_(std::move(on_evicted)) {
  PLIANT_CHECK(max_plans >= 1);
  budget_->join(*this);
}

PlanCache::~PlanCache() {
  budget_->leave(*this);
}

std::shared_ptr<const CachedPlan> PlanCache::find(shapes::Signature signature) {
  const std::uint64_t hash = shapes::hash_signature(signature);
  std::shared_ptr<CachedPlan> found;
  {
    const std::shared_lock lock(mutex_);
    if (const auto* remembered = memory_.find(hash, signature)) {
      return use(*remembered);
    }
    found = best(signature);
  }
  if (found == nullptr) {
    misses_.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  // A run does not wait to leave a note for later ones: somebody else may hold the lock.
  if (const std::unique_lock lock(mutex_, std::try_to_lock); lock.owns_lock()) {
    // The plans may have changed since the shared lock.
    if (best(signature) == found) {
      memory_.remember(hash, signature, found);
    }
  }
  return use(std::move(found));
}

std::shared_ptr<const CachedPlan> PlanCache::find_of(shapes::Breadth breadth,
                                                     shapes::Signature signature) {
  {
    const std::shared_lock lock(mutex_);
    for (const auto& plan : plans_) {
      if (plan->breadth() == breadth && plan->box().contains(signature)) {
        return use(plan);
      }
    }
  }
  misses_.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

bool PlanCache::holds(const shapes::Box& box) const {
  const std::shared_lock lock(mutex_);
  return std::any_of(plans_.begin(), plans_.end(),
                     [&box](const auto& plan) { return plan->box() == box; });
}

PlanCache::Insertion PlanCache::insert(shapes::Box box, std::shared_ptr<const plan::Plan> plan) {
  if (budget_->byte_size(*plan) > budget_->max_bytes()) {
    const std::unique_lock lock(mutex_);
    ++changes_.refused_as_too_large;
    return Insertion::kTooLarge;
  }
  // Plans are freed and listeners called after the lock.
  Plans gone;
  Plans evicted;
  Insertion insertion = Insertion::kAdded;
  {
    const std::unique_lock lock(mutex_);
    insertion = put(std::move(box), std::move(plan), false, gone);
    while (plans_.size() - floor_count_ > max_plans_) {
      evicted.push_back(take_out(*least_recently_used()));
      ++changes_.evictions_by_count;
    }
  }
  if (on_evicted_) {
    for (const auto& victim : evicted) {
      on_evicted_(*victim);
    }
  }
  budget_->enforce();
  return insertion;
}

PlanCache::Insertion PlanCache::insert_floor(shapes::Box box,
                                             std::shared_ptr<const plan::Plan> plan) {
  Plans gone;  // freed after the lock
  const std::unique_lock lock(mutex_);
  return put(std::move(box), std::move(plan), true, gone);
}

bool PlanCache::remove(const shapes::Box& box) {
  std::shared_ptr<CachedPlan> removed;  // freed after the lock
  const std::unique_lock lock(mutex_);
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (plans_[i]->box() == box) {
      removed = take_out(i);
      return true;
    }
  }
  return false;
}

std::vector<std::shared_ptr<const CachedPlan>> PlanCache::plans() const {
  const std::shared_lock lock(mutex_);
  return {plans_.begin(), plans_.end()};
}

CacheStatistics PlanCache::statistics() const {
  CacheStatistics statistics;
  {
    const std::shared_lock lock(mutex_);
    statistics = changes_;
    statistics.plans = plans_.size() - floor_count_;
    statistics.floor_plans = floor_count_;
    for (const auto& plan : plans_) {
      (plan->is_floor() ? statistics.floor_bytes : statistics.plan_bytes) +=
          budget_->byte_size(*plan->plan());
    }
  }
  for (std::size_t i = 0; i < hits_.size(); ++i) {
    statistics.hits[i] = hits_[i].load(std::memory_order_relaxed);
  }
  statistics.misses = misses_.load(std::memory_order_relaxed);
  return statistics;
}

std::shared_ptr<CachedPlan> PlanCache::best(shapes::Signature signature) const {
  for (const auto& plan : plans_) {
    if (plan->box().contains(signature)) {
      return plan;
    }
  }
  return nullptr;
}

std::shared_ptr<const CachedPlan> PlanCache::use(std::shared_ptr<CachedPlan> plan) {
  plan->touch(budget_->tick());
  hits_[static_cast<std::size_t>(plan->breadth())].fetch_add(1, std::memory_order_relaxed);
  return plan;
}

PlanCache::Insertion PlanCache::put(shapes::Box box, std::shared_ptr<const plan::Plan> plan,
                                    bool is_floor, Plans& gone) {
  const shapes::Breadth breadth = shapes::breadth_of(box, entries_);
  ++changes_.insertions;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (plans_[i]->box() == box) {
      gone.push_back(take_out(i));
      is_floor |= gone.back()->is_floor();
      ++changes_.replacements;
      break;
    }
  }
  auto added = std::make_shared<CachedPlan>(std::move(box), breadth, std::move(plan), is_floor);
  added->touch(budget_->tick());
  const auto place = std::find_if(plans_.begin(), plans_.end(), [&added](const auto& other) {
    return CachedPlan::is_preferred(*added, *other);
  });
  plans_.insert(place, std::move(added));
  floor_count_ += is_floor ? 1 : 0;
  memory_.clear();
  return gone.empty() ? Insertion::kAdded : Insertion::kReplaced;
}

std::optional<std::size_t> PlanCache::least_recently_used() const {
  std::optional<std::size_t> oldest;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (!plans_[i]->is_floor() &&
        (!oldest || plans_[i]->last_used() < plans_[*oldest]->last_used())) {
      oldest = i;
    }
  }
  return oldest;
}

std::shared_ptr<CachedPlan> PlanCache::take_out(std::size_t index) {
  std::shared_ptr<CachedPlan> plan = std::move(plans_[index]);
  plans_.erase(plans_.begin() + static_cast<std::ptrdiff_t>(index));
  floor_count_ -= plan->is_floor() ? 1 : 0;
  memory_.clear();
  return plan;
}

std::size_t PlanCache::plan_bytes() const {
  const std::shared_lock lock(mutex_);
  std::size_t bytes = 0;
  for (const auto& plan : plans_) {
    bytes += plan->is_floor() ? 0 : budget_->byte_size(*plan->plan());
  }
  return bytes;
}

std::optional<std::uint64_t> PlanCache::least_recent_use() const {
  const std::shared_lock lock(mutex_);
  const std::optional<std::size_t> oldest = least_recently_used();
  return oldest ? std::optional(plans_[*oldest]->last_used()) : std::nullopt;
}

std::shared_ptr<CachedPlan> PlanCache::evict_for_bytes() {
  const std::unique_lock lock(mutex_);
  const std::optional<std::size_t> oldest = least_recently_used();
  if (!oldest) {
    return nullptr;
  }
  ++changes_.evictions_by_bytes;
  return take_out(*oldest);
}

}  // namespace pliant::cache
