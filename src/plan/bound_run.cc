#include "plan/bound_run.h"

#include <algorithm>

namespace pliant::plan {

std::size_t BoundRun::byte_size() const {
  std::size_t bytes = sizeof *this + (signature.size() + slots.size()) * sizeof(std::int64_t) +
                      buffers.size() * sizeof(Buffer) + blocks.size() * sizeof(Block) +
                      calls.byte_size() + call_information.size() * sizeof(BoundCall) +
                      origins.size() * sizeof(CallOrigin) + outputs.size() * sizeof(BoundOutput);
  for (const Rebinding& rebinding : rebindings) {
    bytes +=
        sizeof rebinding + (rebinding.inputs.size() + rebinding.outputs.size()) * sizeof(Located);
    bytes += rebinding.context == nullptr ? 0 : sizeof *rebinding.context;
  }
  return bytes;
}

BoundRun* BoundRuns::find(shapes::Signature signature) {
  const auto found = by_signature_.find(shapes::hash_signature(signature));
  if (found == by_signature_.end() ||
      !std::equal(signature.begin(), signature.end(), (*found->second)->signature.begin(),
                  (*found->second)->signature.end())) {
    return nullptr;
  }
  runs_.splice(runs_.begin(), runs_, found->second);
  return found->second->get();
}

BoundRun& BoundRuns::insert(std::unique_ptr<BoundRun> run) {
  const std::uint64_t key = shapes::hash_signature(run->signature);
  if (const auto clash = by_signature_.find(key); clash != by_signature_.end()) {
    runs_.erase(clash->second);
    by_signature_.erase(clash);
  }
  runs_.push_front(std::move(run));
  by_signature_[key] = runs_.begin();
  return *runs_.front();
}

std::unique_ptr<BoundRun> BoundRuns::take_for_reuse() {
  if (runs_.size() < kMost) {
    return std::make_unique<BoundRun>();
  }
  std::unique_ptr<BoundRun> oldest = std::move(runs_.back());
  runs_.pop_back();
  by_signature_.erase(shapes::hash_signature(oldest->signature));
  return oldest;
}

std::size_t BoundRuns::byte_size() const {
  std::size_t bytes = 0;
  for (const auto& run : runs_) {
    bytes += run->byte_size();
  }
  return bytes;
}

}  // namespace pliant::plan
