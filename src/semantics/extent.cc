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
    case ExpressionKind::kQuotient:
      return b == 0 || (a == INT64_MIN && b == -1) ? std::nullopt : std::optional(a / b);
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
    case ExpressionKind::kFromEnd:
      if (a >= 0) {
        return a;
      }
      return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
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
    case ExpressionKind::kQuotient:
      return " quot ";
    case ExpressionKind::kModulo:
      return " % ";
    case ExpressionKind::kMinimum:
      return " min ";
    case ExpressionKind::kMaximum:
      return " max ";
    case ExpressionKind::kBroadcast:
      return " broadcast ";
    case ExpressionKind::kFromEnd:
      return " from end of ";
    case ExpressionKind::kSymbol:
      break;
  }
  return "";
}

/// An expression as something and a number that is added to it.
struct Sum {
  Extent base;
  std::int64_t number = 0;
};

Sum split(const Extent& extent) {
  const Expression* const node = extent.expression();
  if (node == nullptr || !node->rhs.is_number()) {
    return {extent, 0};
  }
  if (node->kind == ExpressionKind::kAdd) {
    return {node->lhs, node->rhs.number()};
  }
  const bool is_difference = node->kind == ExpressionKind::kSubtract;
  return is_difference && node->rhs.number() != INT64_MIN ? Sum{node->lhs, -node->rhs.number()}
                                                          : Sum{extent, 0};
}

/// The sum of an expression and a number, which stands at the right.
Extent plus(const Extent& extent, std::int64_t number) {
  const Sum sum = split(extent);
  const auto total = apply(ExpressionKind::kAdd, sum.number, number);
  if (!total || *total == INT64_MIN) {
    return combine(ExpressionKind::kAdd, extent, number);
  }
  if (*total == 0) {
    return sum.base;
  }
  return *total > 0 ? combine(ExpressionKind::kAdd, sum.base, *total)
                    : combine(ExpressionKind::kSubtract, sum.base, -*total);
}

}  // namespace

Extent operator+(Extent a, Extent b) {
  if (a.is_number() && b.expression() != nullptr) {
    return plus(b, a.number());
  }
  if (b.is_number() && a.expression() != nullptr) {
    return plus(a, b.number());
  }
  return combine(ExpressionKind::kAdd, a, b);
}

Extent operator-(Extent a, Extent b) {
  const Sum left = split(a);
  const Sum right = split(b);
  if (left.base == right.base && !left.base.is_overflow()) {
    return combine(ExpressionKind::kSubtract, left.number, right.number);
  }
  if (b.is_number() && a.expression() != nullptr && b.number() != INT64_MIN) {
    return plus(a, -b.number());
  }
  return combine(ExpressionKind::kSubtract, a, b);
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

Extent quotient(Extent a, Extent b) {
  return b.is(1) ? a : combine(ExpressionKind::kQuotient, a, b);
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

Extent from_end(Extent index, Extent extent) {
  if (index.is_number()) {
    return index.number() < 0 ? extent + index : index;
  }
  return combine(ExpressionKind::kFromEnd, index, extent);
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

namespace {
/// Nobody reads more.
constexpr int kMaxPrintedNodes = 96;
}  // namespace

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
  if (node.node_count > kMaxPrintedNodes) {
    return fmt::format("(... of {} operations)", node.node_count / 2);
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
