#include "plan/extent_bounds.h"

#include <algorithm>

namespace pliant::plan {

using semantics::ExpressionKind;
using semantics::Extent;
using shapes::Interval;

namespace {

__extension__ using Wide = __int128;

/// "No bound" must stay so when something is added to it: it counts as beyond every number.
constexpr Wide kBeyond = Wide{1} << 100;

Wide low_of(const Interval& interval) {
  return interval.low == Interval::kNoLow ? -kBeyond : Wide{interval.low};
}
Wide high_of(const Interval& interval) {
  return interval.high == Interval::kNoHigh ? kBeyond : Wide{interval.high};
}

Interval clamped(Wide low, Wide high) {
  const auto clamp = [](Wide value) {
    return static_cast<std::int64_t>(std::clamp<Wide>(value, Interval::kNoLow, Interval::kNoHigh));
  };
  return {clamp(low), clamp(high)};
}

/// The product of two bounds; one beyond every number stays so, and 0 wins.
Wide times(Wide a, Wide b) {
  if (a == 0 || b == 0) {
    return 0;
  }
  const bool beyond = a >= kBeyond || a <= -kBeyond || b >= kBeyond || b <= -kBeyond;
  if (beyond) {
    return (a > 0) == (b > 0) ? kBeyond : -kBeyond;
  }
  return a * b;  // of two 64-bit numbers
}

Interval product(const Interval& a, const Interval& b) {
  const Wide corners[] = {times(low_of(a), low_of(b)), times(low_of(a), high_of(b)),
                          times(high_of(a), low_of(b)), times(high_of(a), high_of(b))};
  return clamped(*std::min_element(std::begin(corners), std::end(corners)),
                 *std::max_element(std::begin(corners), std::end(corners)));
}

/// Only divisors of at least 1 are followed.
Interval quotient(const Interval& a, const Interval& b) {
  if (b.low < 1) {
    return Interval::any_value();
  }
  const auto divide = [](std::int64_t value, std::int64_t divisor) {
    return value >= 0 ? value / divisor : -((-(value + 1)) / divisor) - 1;
  };
  const std::int64_t low =
      a.low == Interval::kNoLow ? a.low : divide(a.low, a.low >= 0 ? b.high : b.low);
  const std::int64_t high =
      a.high == Interval::kNoHigh ? a.high : divide(a.high, a.high >= 0 ? b.low : b.high);
  return {low, high};
}

}  // namespace

Interval ExtentBounds::of(const Extent& extent) {
  if (extent.is_overflow()) {
    return Interval::any_value();
  }
  if (extent.is_number()) {
    return Interval::exactly(extent.number());
  }
  const auto found = known_.find(extent.expression());
  if (found != known_.end()) {
    return found->second;
  }
  const Interval bounds = of_node(*extent.expression());
  known_.emplace(extent.expression(), bounds);
  return bounds;
}

Interval ExtentBounds::of_node(const semantics::Expression& node) {
  if (node.kind == ExpressionKind::kSymbol) {
    const auto symbol = static_cast<std::size_t>(node.symbol);
    if (symbol < symbols_.size()) {
      return symbols_[symbol];
    }
    return node.any_sign ? Interval::any_value() : Interval::any_extent();
  }
  const Interval a = of(node.lhs);
  const Interval b = of(node.rhs);
  switch (node.kind) {
    case ExpressionKind::kAdd:
      return clamped(low_of(a) + low_of(b), high_of(a) + high_of(b));
    case ExpressionKind::kSubtract:
      return clamped(low_of(a) - high_of(b), high_of(a) - low_of(b));
    case ExpressionKind::kMultiply:
      return product(a, b);
    case ExpressionKind::kFloorDivide:
      return quotient(a, b);
    case ExpressionKind::kQuotient:  // rounded towards zero: only where that is down
      return a.low >= 0 ? quotient(a, b) : Interval::any_value();
    case ExpressionKind::kModulo:
      return b.low >= 1 && b.high != Interval::kNoHigh ? Interval{0, b.high - 1}
             : b.low >= 1                              ? Interval::any_extent()
                                                       : Interval::any_value();
    case ExpressionKind::kMinimum:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case ExpressionKind::kMaximum:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case ExpressionKind::kBroadcast:  // one of the two
      return {std::min(a.low, b.low), std::max(a.high, b.high)};
    case ExpressionKind::kFromEnd:
      return a.low >= 0 ? a : Interval::any_value();
    case ExpressionKind::kSymbol:
      break;
  }
  return Interval::any_value();
}

}  // namespace pliant::plan
