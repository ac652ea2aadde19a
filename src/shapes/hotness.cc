#include "shapes/hotness.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "shapes/bucket.h"

namespace pliant::shapes {

Hotness::Hotness(std::span<const Entry> entries, const PlanOptions& options, Boxes boxes)
    : entries_(entries.begin(), entries.end()),
      boxes_(boxes),
      bucket_width_(options.bucket_width),
      wanted_count_(static_cast<double>(options.min_compile_iters)),
      wanted_in_a_row_(static_cast<std::uint64_t>(options.min_compile_iters)),
      half_life_runs_(static_cast<double>(options.half_life_runs)),
      decay_of_one_run_(std::exp2(-1.0 / half_life_runs_)),
      max_counted_boxes_(options.max_counted_boxes) {
  PLIANT_CHECK(check_options(options).has_value());
}

Hotness::Observation Hotness::record(Signature signature) {
  ++run_;
  // Boxes of one kind share nothing, so the one that holds the signature is its own.
  if (last_ != nullptr && last_->first.contains(signature)) {
    ++in_a_row_;
  } else {
    last_ = &find_or_add(signature);
    in_a_row_ = 1;
  }
  auto& [box, counter] = *last_;
  const double earlier = counter.count * decay(run_ - counter.last_run);
  counter.count = earlier + 1;
  counter.last_run = run_;

  if (counter.is_settled) {
    return {Heat::kSettled, &box};
  }
  const bool reaches = in_a_row_ >= wanted_in_a_row_ || earlier >= wanted_count_;
  const bool was_hot = std::exchange(
      counter.is_hot, reaches || (counter.is_hot && counter.count >= wanted_count_ / 2));
  if (!counter.is_hot) {
    return {Heat::kCold, &box};
  }
  return {was_hot ? Heat::kHot : Heat::kTurnedHot, &box};
}

void Hotness::settle(const Box& box) {
  if (const auto found = counters_.find(box); found != counters_.end()) {
    found->second.is_settled = true;
  }
}

void Hotness::forget(const Box& box) {
  const auto found = counters_.find(box);
  if (found == counters_.end()) {
    return;
  }
  if (last_ == &*found) {
    last_ = nullptr;
  }
  counters_.erase(found);
}

Hotness::Counters::value_type& Hotness::find_or_add(Signature signature) {
  Box box = boxes_ == Boxes::kBucketed ? bucketed_box(entries_, signature, bucket_width_)
                                       : any_size_box(entries_, signature);
  if (const auto found = counters_.find(box); found != counters_.end()) {
    return *found;
  }
  if (counters_.size() >= max_counted_boxes_) {
    forget_colder_half();
  }
  Counter counter;
  counter.last_run = run_;
  return *counters_.emplace(std::move(box), counter).first;
}

// Half of them at once: with a new box in every run, forgetting one at a time would look at all
// boxes in every run.
void Hotness::forget_colder_half() {
  // Counts as they would be at one and the same run, on a logarithmic scale where none vanishes.
  const auto warmth = [this](const Counter& counter) {
    return std::log2(counter.count) + static_cast<double>(counter.last_run) / half_life_runs_;
  };
  std::vector<std::pair<double, Counters::const_iterator>> boxes;
  boxes.reserve(counters_.size());
  for (auto box = counters_.cbegin(); box != counters_.cend(); ++box) {
    boxes.emplace_back(warmth(box->second), box);
  }
  const auto middle = boxes.begin() + static_cast<std::ptrdiff_t>((boxes.size() + 1) / 2);
  std::nth_element(boxes.begin(), middle, boxes.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto box = boxes.begin(); box != middle; ++box) {
    counters_.erase(box->second);
  }
  last_ = nullptr;
}

double Hotness::decay(std::uint64_t runs) const {
  if (runs == 1) {
    return decay_of_one_run_;
  }
  return std::exp2(-static_cast<double>(runs) / half_life_runs_);
}

}  // namespace pliant::shapes
