#include "shapes/signature_counter.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "shapes/weight.h"

namespace pliant::shapes {

SignatureCounter::SignatureCounter(std::span<const Entry> entries, std::size_t max_signatures)
    : entries_(entries.begin(), entries.end()), max_signatures_(max_signatures) {
  PLIANT_CHECK(max_signatures >= 1 && max_signatures <= kMaxProfiledSignatures);
}

void SignatureCounter::record(Signature signature) {
  PLIANT_CHECK_EQ(signature.size(), entries_.size());
  ++run_;
  auto found = seen_.find(signature);
  if (found == seen_.end()) {
    if (!may_be_profiled(signature)) {
      forgotten_weight_ = add_weights(forgotten_weight_, 1);
      return;
    }
    if (seen_.size() >= max_signatures_) {
      forget_lightest_quarter();
    }
    found = seen_.try_emplace({signature.begin(), signature.end()}).first;
  }
  found->second.weight = add_weights(found->second.weight, 1);
  found->second.last_run = run_;
}

SegmentProfile SignatureCounter::profile(std::string_view segment_name) const {
  SegmentProfile profile;
  profile.name = profile_name(segment_name);
  profile.entries = profiled_entries(entries_);
  profile.forgotten_weight = forgotten_weight_;
  profile.signatures.reserve(seen_.size());
  for (const auto& [values, seen] : seen_) {
    profile.signatures.push_back({values, seen.weight});
  }
  std::sort(profile.signatures.begin(), profile.signatures.end(),
            [](const ProfiledSignature& a, const ProfiledSignature& b) {
              return a.weight != b.weight ? a.weight > b.weight : a.values < b.values;
            });
  return profile;
}

bool SignatureCounter::may_be_profiled(Signature signature) const {
  if (entries_.size() > kMaxProfiledEntries) {
    return false;
  }
  for (std::size_t i = 0; i < signature.size(); ++i) {
    if (entries_[i].kind == Entry::Kind::kExtent &&
        (signature[i] < 0 || signature[i] > kMaxProfiledExtent)) {
      return false;
    }
  }
  return true;
}

// A quarter at once: with a new signature in every run, looking for the lightest one would look at
// all of them in every run.
void SignatureCounter::forget_lightest_quarter() {
  std::vector<decltype(seen_)::const_iterator> signatures;
  signatures.reserve(seen_.size());
  for (auto signature = seen_.cbegin(); signature != seen_.cend(); ++signature) {
    signatures.push_back(signature);
  }
  const auto kept = signatures.begin() + static_cast<std::ptrdiff_t>((signatures.size() + 3) / 4);
  std::nth_element(signatures.begin(), kept - 1, signatures.end(),
                   [](const auto& a, const auto& b) {
                     return std::tie(a->second.weight, a->second.last_run) <
                            std::tie(b->second.weight, b->second.last_run);
                   });
  for (auto signature = signatures.begin(); signature != kept; ++signature) {
    forgotten_weight_ = add_weights(forgotten_weight_, (*signature)->second.weight);
    seen_.erase(*signature);
  }
}

}  // namespace pliant::shapes
