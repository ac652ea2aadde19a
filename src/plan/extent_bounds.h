#pragma once

#include <unordered_map>
#include <vector>

#include "semantics/extent.h"
#include "shapes/interval.h"

namespace pliant::plan {

/// Between which numbers an expression lies, given intervals of its symbols. Exact arithmetic,
/// clamped to 64 bits; never too narrow.
class ExtentBounds {
 public:
  /// `symbols` by number; symbols behind its end may be anything, extents at least 0.
  explicit ExtentBounds(std::vector<shapes::Interval> symbols) : symbols_(std::move(symbols)) {}

  [[nodiscard]] shapes::Interval of(const semantics::Extent& extent);

 private:
  [[nodiscard]] shapes::Interval of_node(const semantics::Expression& node);

  std::vector<shapes::Interval> symbols_;
  std::unordered_map<const semantics::Expression*, shapes::Interval> known_;
};

}  // namespace pliant::plan
