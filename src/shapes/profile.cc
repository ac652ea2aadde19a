#include "shapes/profile.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/check.h"
#include "shapes/bucket.h"
#include "shapes/weight.h"

namespace pliant::shapes {

std::vector<ProfiledEntry> profiled_entries(std::span<const Entry> entries) {
  std::vector<ProfiledEntry> profiled;
  profiled.reserve(entries.size());
  for (const Entry& entry : entries) {
    profiled.push_back({profile_name(entry.name), entry.kind});
  }
  return profiled;
}

bool is_about(const SegmentProfile& profile, std::span<const Entry> entries) {
  return profile.entries == profiled_entries(entries);
}

std::vector<WeightedBox> heaviest_boxes(const SegmentProfile& profile,
                                        std::span<const Entry> entries, std::int64_t bucket_width,
                                        std::size_t count) {
  struct Traffic {
    std::uint64_t weight = 0;
    const ProfiledSignature* heaviest = nullptr;
  };
  std::unordered_map<Box, Traffic, BoxHash> traffic;
  for (const ProfiledSignature& signature : profile.signatures) {
    Traffic& inside = traffic[bucketed_box(entries, signature.values, bucket_width)];
    inside.weight = add_weights(inside.weight, signature.weight);
    if (inside.heaviest == nullptr || inside.heaviest->weight < signature.weight) {
      inside.heaviest = &signature;
    }
  }
  std::vector<WeightedBox> boxes;
  boxes.reserve(traffic.size());
  for (const auto& [box, inside] : traffic) {
    boxes.push_back({box, inside.weight, inside.heaviest->values});
  }
  std::sort(boxes.begin(), boxes.end(), [](const WeightedBox& a, const WeightedBox& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.box < b.box;
  });
  boxes.resize(std::min(boxes.size(), count));
  return boxes;
}

}  // namespace pliant::shapes
