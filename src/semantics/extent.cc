#include "semantics/extent.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace pliant::semantics {

std::optional<std::int64_t> apply(ExpressionKind kind, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (kind) {
    case ExpressionKind::kAdd:
      return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case ExpressionKind::kSubtract:
      return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case ExpressionKind::kMultiply:
      return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case ExpressionKind::kFloorDivide:
    case ExpressionKind::kModulo: {
      if (b == 0 || (a == INT64_MIN && b == -1)) {
        return std::nullopt;
      }
      const std::int64_t remainder = a % b;
      const bool below = remainder != 0 && (remainder < 0) != (b < 0);
      if (kind == ExpressionKind::kModulo) {
        return below ? remainder + b : remainder;
      }
      return below ? a / b - 1 : a / b;
    }
    case ExpressionKind::kMinimum:
      return std::min(a, b);
    case ExpressionKind::kMaximum:
      return std::max(a, b);
    case ExpressionKind::kBroadcast:
      return a == 1 ? b : a;
    case ExpressionKind::kSymbol:
      break;
  }
  return std::nullopt;
}

namespace {

Extent combine(ExpressionKind kind, Extent a, Extent b) {
  if (a.is_overflow() || b.is_overflow()) {
    return Extent::overflow();
  }
  if (a.is_number() && b.is_number()) {
    const auto result = apply(kind, a.number(), b.number());
    return result ? Extent(*result) : Extent::overflow();
  }
  ExpressionPool* pool = a.is_number() ? b.expression()->pool : a.expression()->pool;
  return pool->make(kind, a, b);
}

std::string_view symbol_of(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::kAdd:
      return " + ";
    case ExpressionKind::kSubtract:
      return " - ";
    case ExpressionKind::kMultiply:
      return " * ";
    case ExpressionKind::kFloorDivide:
      return " / ";
    case ExpressionKind::kModulo:
      return " % ";
    case ExpressionKind::kMinimum:
      return " min ";
    case ExpressionKind::kMaximum:
      return " max ";
    case ExpressionKind::kBroadcast:
      return " broadcast ";
    case ExpressionKind::kSymbol:
      break;
  }
  return "";
}

}  // namespace

Extent operator+(Extent a, Extent b) {
  if (a.is(0)) {
    return b;
  }
  return b.is(0) ? a : combine(ExpressionKind::kAdd, a, b);
}

Extent operator-(Extent a, Extent b) {
  if (a == b && !a.is_overflow()) {
    return 0;
  }
  return b.is(0) ? a : combine(ExpressionKind::kSubtract, a, b);
}

Extent operator*(Extent a, Extent b) {
  if (a.is(1)) {
    return b;
  }
  if (b.is(1)) {
    return a;
  }
  if ((a.is(0) && !b.is_overflow()) || (b.is(0) && !a.is_overflow())) {
    return 0;
  }
  return combine(ExpressionKind::kMultiply, a, b);
}

Extent floor_divide(Extent a, Extent b) {
  return b.is(1) ? a : combine(ExpressionKind::kFloorDivide, a, b);
}

Extent modulo(Extent a, Extent b) {
  return b.is(1) ? Extent(0) : combine(ExpressionKind::kModulo, a, b);
}

Extent minimum(Extent a, Extent b) {
  return a == b ? a : combine(ExpressionKind::kMinimum, a, b);
}

Extent maximum(Extent a, Extent b) {
  return a == b ? a : combine(ExpressionKind::kMaximum, a, b);
}

Extent ceil_divide(Extent a, Extent b) {
  return floor_divide(a + (b - Extent(1)), b);
}

Extent broadcast(Extent a, Extent b) {
  if (a == b || b.is(1)) {
    return a;
  }
  if (a.is(1)) {
    return b;
  }
  // A number other than 1 fixes the result, whatever the expression is (0 wins over 1 too).
  if (a.is_number() && !b.is_number()) {
    return a;
  }
  if (b.is_number() && !a.is_number()) {
    return b;
  }
  return combine(ExpressionKind::kBroadcast, a, b);
}

Extent ExpressionPool::new_symbol(std::string name) {
  names_.push_back(std::move(name));
  nodes_.push_back(
      {ExpressionKind::kSymbol, {}, {}, static_cast<int>(names_.size()) - 1, 1, false, this});
  return Extent::of(&nodes_.back());
}

Extent ExpressionPool::new_value_symbol(std::string name) {
  const Extent symbol = new_symbol(std::move(name));
  nodes_.back().any_sign = true;
  return symbol;
}

Extent ExpressionPool::make(ExpressionKind kind, Extent lhs, Extent rhs) {
  const auto count = [](const Extent& extent) {
    return extent.expression() == nullptr ? 1 : extent.expression()->node_count;
  };
  const int node_count = 1 + count(lhs) + count(rhs);
  if (node_count > kMaxNodeCount) {
    return new_symbol("?");
  }
  const Key key{static_cast<int>(kind), lhs.expression(), lhs.number(), rhs.expression(),
                rhs.number()};
  const auto [found, inserted] = unique_.try_emplace(key, nullptr);
  if (inserted) {
    nodes_.push_back({kind, lhs, rhs, -1, node_count, false, this});
    found->second = &nodes_.back();
  }
  return Extent::of(found->second);
}

std::string to_string(const Extent& extent) {
  if (extent.is_overflow()) {
    return "overflow";
  }
  if (extent.is_number()) {
    return fmt::format("{}", extent.number());
  }
  const Expression& node = *extent.expression();
  if (node.kind == ExpressionKind::kSymbol) {
    return node.pool->symbol_name(node.symbol);
  }
  return fmt::format("({}{}{})", to_string(node.lhs), symbol_of(node.kind), to_string(node.rhs));
}

std::string to_string(const ExtentShape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + to_string(shape[i]);
  }
  return text + "]";
}

std::optional<std::int64_t> evaluate(const Extent& extent,
                                     const std::vector<std::int64_t>& symbols) {
  if (extent.is_overflow()) {
    return std::nullopt;
  }
  if (extent.is_number()) {
    return extent.number();
  }
  const Expression& node = *extent.expression();
  if (node.kind == ExpressionKind::kSymbol) {
    return symbols[static_cast<std::size_t>(node.symbol)];
  }
  const auto lhs = evaluate(node.lhs, symbols);
  const auto rhs = evaluate(node.rhs, symbols);
  return lhs && rhs ? apply(node.kind, *lhs, *rhs) : std::nullopt;
}

}  // namespace pliant::semantics
