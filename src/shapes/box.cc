#include "shapes/box.h"

#include <fmt/format.h>

#include <cmath>

#include "base/check.h"

namespace pliant::shapes {
namespace {

std::string interval_text(const Interval& interval, const Entry& entry) {
  if (interval == any_interval(entry)) {
    return "any";
  }
  if (interval.is_exact()) {
    return fmt::format("{}", interval.low);
  }
  const auto low = interval.low == Interval::kNoLow ? "" : fmt::format("{}", interval.low);
  const auto high = interval.high == Interval::kNoHigh ? "" : fmt::format("{}", interval.high);
  return low + ".." + high;
}

}  // namespace

bool Box::contains(Signature signature) const {
  if (signature.size() != intervals.size()) {
    return false;
  }
  for (std::size_t i = 0; i < signature.size(); ++i) {
    if (!intervals[i].contains(signature[i])) {
      return false;
    }
  }
  return true;
}

bool Box::is_exact() const {
  for (const Interval& interval : intervals) {
    if (!interval.is_exact()) {
      return false;
    }
  }
  return true;
}

double Box::log_size() const {
  double bits = 0;
  for (const Interval& interval : intervals) {
    bits += std::log2(static_cast<double>(interval.width()) + 1.0);
  }
  return bits;
}

std::string Box::to_string(std::span<const Entry> entries) const {
  PLIANT_CHECK_EQ(entries.size(), intervals.size());
  std::string text;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", entries[i].name,
                        interval_text(intervals[i], entries[i]));
  }
  return text;
}

std::size_t BoxHash::operator()(const Box& box) const {
  std::uint64_t hash = box.intervals.size();
  for (const Interval& interval : box.intervals) {
    hash = mix_hash(hash, static_cast<std::uint64_t>(interval.low));
    hash = mix_hash(hash, static_cast<std::uint64_t>(interval.high));
  }
  return hash;
}

Interval any_interval(const Entry& entry) {
  return entry.kind == Entry::Kind::kExtent ? Interval::any_extent() : Interval::any_value();
}

Box any_box(std::span<const Entry> entries) {
  Box box;
  box.intervals.reserve(entries.size());
  for (const Entry& entry : entries) {
    box.intervals.push_back(any_interval(entry));
  }
  return box;
}

Box any_size_box(std::span<const Entry> entries, Signature signature) {
  PLIANT_CHECK_EQ(entries.size(), signature.size());
  Box box;
  box.intervals.reserve(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    box.intervals.push_back(entries[i].always_exact ? Interval::exactly(signature[i])
                                                    : any_interval(entries[i]));
  }
  return box;
}

Box exact_box(Signature signature) {
  Box box;
  box.intervals.reserve(signature.size());
  for (const std::int64_t value : signature) {
    box.intervals.push_back(Interval::exactly(value));
  }
  return box;
}

}  // namespace pliant::shapes
