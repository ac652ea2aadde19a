#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "shapes/signature.h"

namespace pliant::cache {

class CachedPlan;

/// Remembers which plan is the best for the signatures seen last, so that a repeated one costs a
/// hash and one comparison. One slot per hash; a newer signature takes the slot of an older one.
///
/// Threads: find() may run on many threads at once, but not beside the others; the cache's lock
/// sees to that.
class SignatureMemory {
 public:
  /// Null when the signature is not remembered.
  [[nodiscard]] const std::shared_ptr<CachedPlan>* find(std::uint64_t hash,
                                                        shapes::Signature signature) const {
    if (slots_.empty()) {
      return nullptr;
    }
    const Slot& slot = slots_[hash % kSlots];
    if (slot.hash != hash || slot.plan == nullptr ||
        !shapes::SignatureEqual{}(slot.signature, signature)) {
      return nullptr;
    }
    return &slot.plan;
  }

  void remember(std::uint64_t hash, shapes::Signature signature, std::shared_ptr<CachedPlan> plan) {
    slots_.resize(kSlots);
    Slot& slot = slots_[hash % kSlots];
    slot.hash = hash;
    slot.signature.assign(signature.begin(), signature.end());
    slot.plan = std::move(plan);
  }

  /// Forgets everything: the plans have changed.
  void clear() { slots_.clear(); }

 private:
  // As many signatures as a plan remembers layouts for, for a few plans that take turns.
  static constexpr std::size_t kSlots = 512;

  struct Slot {
    std::uint64_t hash = 0;
    std::vector<std::int64_t> signature;
    std::shared_ptr<CachedPlan> plan;
  };
  std::vector<Slot> slots_;  // none until something is remembered
};

}  // namespace pliant::cache
