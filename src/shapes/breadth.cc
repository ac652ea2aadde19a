#include "shapes/breadth.h"

#include <array>

#include "base/check.h"

namespace pliant::shapes {
namespace {

bool is_any_size(const Box& box, std::span<const Entry> entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].always_exact && box.intervals[i] != any_interval(entries[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace

const char* breadth_name(Breadth breadth) {
  constexpr std::array<const char*, kBreadthCount> kNames = {"exact", "bucketed", "any size"};
  return kNames[static_cast<std::size_t>(breadth)];
}

Breadth breadth_of(const Box& box, std::span<const Entry> entries) {
  PLIANT_CHECK_EQ(box.intervals.size(), entries.size());
  if (is_any_size(box, entries)) {
    return Breadth::kAnySize;
  }
  return box.is_exact() ? Breadth::kExact : Breadth::kBucketed;
}

}  // namespace pliant::shapes
