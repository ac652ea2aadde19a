#include "shapes/bucket.h"

#include "base/check.h"

namespace pliant::shapes {
namespace {

Interval bucket(const Entry& entry, std::int64_t value, std::int64_t bucket_width) {
  if (entry.always_exact) {
    return Interval::exactly(value);
  }
  if (entry.kind == Entry::Kind::kElement) {
    return Interval::any_value();
  }
  return extent_bucket(value, bucket_width, entry.has_facts);
}

}  // namespace

Interval extent_bucket(std::int64_t extent, std::int64_t bucket_width, bool has_facts) {
  PLIANT_DCHECK(extent >= 0);
  PLIANT_DCHECK(bucket_width >= 1);
  if (has_facts && extent <= 1) {
    return Interval::exactly(extent);
  }
  if (extent <= bucket_width) {
    return {has_facts ? 2 : 0, bucket_width};
  }
  const std::int64_t before = (extent - 1) / bucket_width * bucket_width;
  const bool is_last = before > Interval::kNoHigh - bucket_width;
  return {before + 1, is_last ? Interval::kNoHigh : before + bucket_width};
}

Box bucketed_box(std::span<const Entry> entries, Signature signature, std::int64_t bucket_width) {
  PLIANT_CHECK_EQ(entries.size(), signature.size());
  Box box;
  box.intervals.reserve(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    box.intervals.push_back(bucket(entries[i], signature[i], bucket_width));
  }
  return box;
}

}  // namespace pliant::shapes
