#include "semantics/extent.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace pliant::semantics {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();

TEST(Extent, NumbersInSumsAreAddedUp) {
  ExpressionPool pool;
  const Extent n = pool.new_symbol("n");
  const Extent m = pool.new_symbol("m");
  EXPECT_EQ(n + 2 - 2, n);
  EXPECT_EQ(Extent(-1) + n, n - 1);
  EXPECT_EQ(to_string(n + 2 - 3), "(n - 1)");
  EXPECT_EQ(to_string(n - 3 + 7), "(n + 4)");
  EXPECT_EQ(to_string((n + 3) - (n - 1)), "4");
  EXPECT_EQ(to_string((n + 3) - (m + 1)), "((n + 3) - (m + 1))");
  // (h + pads - window) / 1 + 1: a window that keeps the extent.
  EXPECT_EQ(floor_divide(n + 2 - 3, 1) + 1, n);
}

TEST(Extent, WhatDoesNotFitIsNotAddedUp) {
  ExpressionPool pool;
  const Extent n = pool.new_symbol("n");
  EXPECT_EQ(evaluate(n + kGreatest + kGreatest, {-kGreatest}), kGreatest);
  EXPECT_EQ(evaluate(n - kGreatest - 1 + kLeast, {0}), std::nullopt);
  EXPECT_EQ(evaluate(n - kLeast, {-1}), kGreatest);
  EXPECT_EQ(evaluate(n + kLeast, {5}), kLeast + 5);
  EXPECT_TRUE((Extent(kGreatest) + 1).is_overflow());
  EXPECT_TRUE((Extent::overflow() - Extent::overflow()).is_overflow());
}

TEST(Extent, QuotientsAreRoundedTowardsZero) {
  ExpressionPool pool;
  const Extent value = pool.new_value_symbol("v");
  for (const auto& [v, by, expected] :
       {std::array<std::int64_t, 3>{7, 2, 3}, {-7, 2, -3}, {7, -2, -3}, {-7, -2, 3}, {0, 5, 0}}) {
    EXPECT_EQ(evaluate(quotient(value, by), {v}), expected) << v << " / " << by;
    EXPECT_EQ(quotient(v, by), Extent(expected));
  }
  EXPECT_EQ(evaluate(quotient(value, 0), {7}), std::nullopt);
  EXPECT_EQ(evaluate(quotient(value, -1), {kLeast}), std::nullopt);
}

TEST(Extent, IndicesMayCountFromTheEnd) {
  ExpressionPool pool;
  const Extent index = pool.new_value_symbol("i");
  const Extent n = pool.new_symbol("n");
  EXPECT_EQ(evaluate(from_end(index, n), {2, 10}), 2);
  EXPECT_EQ(evaluate(from_end(index, n), {-2, 10}), 8);
  EXPECT_EQ(evaluate(from_end(index, n), {-12, 10}), -2);
  EXPECT_EQ(from_end(-2, n), n - 2);
  EXPECT_EQ(from_end(3, n), Extent(3));
}

TEST(Extent, LargeExpressionsAreNotPrintedInFull) {
  ExpressionPool pool;
  Extent sum = pool.new_symbol("n");
  for (int i = 0; i < 10; ++i) {
    sum = maximum(sum * sum, minimum(sum, 3));
  }
  EXPECT_LT(to_string(sum).size(), 2000u);
}

}  // namespace
}  // namespace pliant::semantics
