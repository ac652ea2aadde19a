#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/inline_vector.h"
#include "tensor/shape.h"

namespace pliant::semantics {

class ExpressionPool;

enum class ExpressionKind : std::uint8_t {
  kSymbol,  ///< a named or data-dependent extent
  kAdd,
  kSubtract,
  kMultiply,
  kFloorDivide,
  kQuotient,  ///< rounded towards zero
  kModulo,
  kMinimum,
  kMaximum,
  kBroadcast,  ///< the extent that two broadcast to: the other one where one of them is 1
  kFromEnd,    ///< an index that counts from the end, which is rhs, where it is negative
};

/// A node of a symbolic extent. Nodes of a pool are unique: equal expressions are one node.
struct Expression;

/// An extent, or any whole number that shape rules compute with: a number, or a symbolic
/// expression. Rules are written once over this type. In the interpreter all extents are numbers
/// and the operations are plain arithmetic; in the verifier and the importer some are expressions.
///
/// Overflow of 64 bits gives the value "overflow", which spreads through arithmetic and which
/// InferenceContext::set refuses. Numbers in sums are added up, (n + 2) - 3 is n - 1, so that sizes
/// that come back to what they were are known to; what would overflow only on the way does not.
class Extent {
 public:
  Extent() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): numbers are extents
  Extent(std::int64_t number) : number_(number) {}
  static Extent of(const Expression* expression) {
    Extent extent;
    extent.expression_ = expression;
    return extent;
  }
  static Extent overflow() {
    Extent extent;
    extent.overflow_ = true;
    return extent;
  }

  [[nodiscard]] bool is_number() const { return expression_ == nullptr && !overflow_; }
  [[nodiscard]] bool is_overflow() const { return overflow_; }
  [[nodiscard]] std::int64_t number() const { return number_; }  ///< only if is_number()
  [[nodiscard]] const Expression* expression() const { return expression_; }
  /// True for the number n; false for another number and for expressions.
  [[nodiscard]] bool is(std::int64_t n) const { return is_number() && number_ == n; }

  /// Structurally the same: equal numbers or one node. Different expressions may still have one
  /// value.
  friend bool operator==(const Extent& a, const Extent& b) {
    return a.expression_ == b.expression_ && a.overflow_ == b.overflow_ &&
           (a.expression_ != nullptr || a.number_ == b.number_);
  }

 private:
  std::int64_t number_ = 0;
  const Expression* expression_ = nullptr;
  bool overflow_ = false;
};

[[nodiscard]] Extent operator+(Extent a, Extent b);
[[nodiscard]] Extent operator-(Extent a, Extent b);
[[nodiscard]] Extent operator*(Extent a, Extent b);
/// Rounded towards minus infinity; the divisor, if a number, must not be 0.
[[nodiscard]] Extent floor_divide(Extent a, Extent b);
/// Rounded towards zero, as integer tensors are divided; the divisor as above.
[[nodiscard]] Extent quotient(Extent a, Extent b);
/// a - b * floor_divide(a, b).
[[nodiscard]] Extent modulo(Extent a, Extent b);
[[nodiscard]] Extent minimum(Extent a, Extent b);
[[nodiscard]] Extent maximum(Extent a, Extent b);
/// The index itself; where it is negative, counted from `extent`.
[[nodiscard]] Extent from_end(Extent index, Extent extent);
/// ceil(a / b) for b > 0.
[[nodiscard]] Extent ceil_divide(Extent a, Extent b);
/// The extent that two extents broadcast to, whose compatibility has been checked or noted.
[[nodiscard]] Extent broadcast(Extent a, Extent b);

struct Expression {
  ExpressionKind kind = ExpressionKind::kSymbol;
  Extent lhs;
  Extent rhs;
  int symbol = -1;        ///< kSymbol: number of the symbol in its pool
  int node_count = 1;     ///< nodes of the tree below and including this one
  bool any_sign = false;  ///< kSymbol: stands for a value that may be negative, not for an extent
  ExpressionPool* pool = nullptr;
};

/// Owns expressions. Not thread-safe; one per verification or compilation.
class ExpressionPool {
 public:
  /// A larger tree becomes a symbol of its own: rules walk trees, and shared parts would otherwise
  /// make that exponential in the length of a program.
  static constexpr int kMaxNodeCount = 4096;

  /// A symbol that stands for itself and may be any extent >= 0.
  [[nodiscard]] Extent new_symbol(std::string name);
  /// A symbol that may be any number: an element of an integer tensor.
  [[nodiscard]] Extent new_value_symbol(std::string name);
  [[nodiscard]] Extent make(ExpressionKind kind, Extent lhs, Extent rhs);
  [[nodiscard]] const std::string& symbol_name(int symbol) const {
    return names_[static_cast<std::size_t>(symbol)];
  }
  [[nodiscard]] int symbol_count() const { return static_cast<int>(names_.size()); }

 private:
  std::deque<Expression> nodes_;
  std::vector<std::string> names_;
  using Key = std::tuple<int, const void*, std::int64_t, const void*, std::int64_t>;
  std::map<Key, const Expression*> unique_;
};

/// "128", "seq", "(seq + 1) * 2"; large parts are left out.
[[nodiscard]] std::string to_string(const Extent& extent);

/// The value when `symbols[i]` is the value of symbol i; empty on overflow or division by zero.
[[nodiscard]] std::optional<std::int64_t> evaluate(const Extent& extent,
                                                   const std::vector<std::int64_t>& symbols);

/// One operation on numbers; empty on overflow, division by zero, and for kSymbol.
[[nodiscard]] std::optional<std::int64_t> apply(ExpressionKind kind, std::int64_t a,
                                                std::int64_t b);

using ExtentShape = InlineVector<Extent, kMaxRank>;
[[nodiscard]] std::string to_string(const ExtentShape& shape);

}  // namespace pliant::semantics
