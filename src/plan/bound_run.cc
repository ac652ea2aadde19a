#include "plan/bound_run.h"

#include <algorithm>

namespace pliant::plan {

std::size_t BoundRun::byte_size() const {
  std::size_t bytes = sizeof *this + (signature.size() + slots.size()) * sizeof(std::int64_t) +
                      buffers.size() * sizeof(Buffer) + blocks.size() * sizeof(Block) +
                      calls.byte_size() + call_information.size() * sizeof(BoundCall) +
                      outside_addresses.size() * sizeof(BoundAddress) +
                      outputs.size() * sizeof(BoundOutput) + row_blocks.size() * sizeof(RowBlocks);
  for (const Rebinding& rebinding : rebindings) {
    bytes += sizeof rebinding + sizeof *rebinding.context +
             (rebinding.inputs.size() + rebinding.outputs.size()) * sizeof(void*);
  }
  return bytes;
}

void BoundRun::reserve_as(const BoundRun& other) {
  signature.reserve(other.signature.size());
  slots.reserve(other.slots.size());
  buffers.reserve(other.buffers.size());
  blocks.reserve(other.blocks.size());
  calls.reserve_as(other.calls);
  call_information.reserve(other.call_information.size());
  outside_addresses.reserve(other.outside_addresses.size());
}

BoundRun* BoundRuns::find(shapes::Signature signature) {
  const auto found = by_signature_.find(shapes::hash_signature(signature));
  if (found == by_signature_.end()) {
    return nullptr;
  }
  BoundRun& run = *found->second->run;
  if (!std::equal(signature.begin(), signature.end(), run.signature.begin(), run.signature.end())) {
    return nullptr;
  }
  runs_.splice(runs_.begin(), runs_, found->second);
  return &run;
}

BoundRun& BoundRuns::insert(std::unique_ptr<BoundRun> run) {
  const std::uint64_t key = shapes::hash_signature(run->signature);
  if (const auto clash = by_signature_.find(key); clash != by_signature_.end()) {
    add_bytes(0 - clash->second->bytes);
    runs_.erase(clash->second);
    by_signature_.erase(clash);
  }
  const std::size_t bytes = run->byte_size();
  runs_.push_front({std::move(run), bytes});
  add_bytes(bytes);
  by_signature_[key] = runs_.begin();
  while (bytes_ > kMostBytes && runs_.size() > 1) {
    take_oldest();
  }
  return *runs_.front().run;
}

std::unique_ptr<BoundRun> BoundRuns::take_for_reuse() {
  if (runs_.empty()) {
    return std::make_unique<BoundRun>();
  }
  // The next one will be about as large as the last; memory from the system would be slow.
  if (runs_.size() >= kMost || bytes_ + runs_.front().bytes > kMostBytes) {
    return take_oldest();
  }
  auto run = std::make_unique<BoundRun>();
  run->reserve_as(*runs_.front().run);
  return run;
}

std::unique_ptr<BoundRun> BoundRuns::take_oldest() {
  Entry oldest = std::move(runs_.back());
  runs_.pop_back();
  add_bytes(0 - oldest.bytes);
  by_signature_.erase(shapes::hash_signature(oldest.run->signature));
  return std::move(oldest.run);
}

}  // namespace pliant::plan
