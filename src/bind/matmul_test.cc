#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/half.h"
#include "support/backwards_for.h"
#include "support/one_instruction.h"

namespace pliant::bind {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace ::pliant::testing;

struct Flags {
  bool transpose_lhs = false;
  bool transpose_rhs = false;
};

OneInstruction matmul(const StoredTensor& lhs, const StoredTensor& rhs, Flags flags = {}) {
  OneInstruction run(isa::Opcode::kMatMul);
  run.tensor("lhs", lhs).tensor("rhs", rhs);
  run.set("transpose_lhs", isa::flag(flags.transpose_lhs))
      .set("transpose_rhs", isa::flag(flags.transpose_rhs));
  return run;
}

StoredTensor result_of(OneInstruction run) {
  auto results = run();
  EXPECT_TRUE(results.has_value()) << (results ? "" : results.error().message);
  return results ? (*results)[0] : StoredTensor{};
}

float at(const StoredTensor& tensor, std::initializer_list<std::int64_t> index) {
  std::int64_t offset = 0;
  std::size_t axis = 0;
  for (const std::int64_t position : index) {
    offset += position * tensor.view.strides[axis++];
  }
  return tensor.view.as<float>()[offset];
}

TEST(MatMulTest, MultipliesMatricesOfEveryNumberType) {
  for (int code = 0; code < kDTypeCount; ++code) {
    const DType dtype = static_cast<DType>(code);
    if (dtype == DType::kBool) {
      continue;
    }
    SCOPED_TRACE(name(dtype));
    visit_dtype(dtype, [&]<class T>(T) {
      const auto make = [](int value) {
        if constexpr (std::is_same_v<T, Half>) {
          return to_half(static_cast<float>(value));
        } else if constexpr (std::is_same_v<T, BFloat16>) {
          return to_bfloat16(static_cast<float>(value));
        } else {
          return static_cast<T>(value);
        }
      };
      const StoredTensor lhs =
          tensor_of<T>({2, 3}, {make(1), make(2), make(3), make(4), make(5), make(6)});
      const StoredTensor rhs =
          tensor_of<T>({3, 2}, {make(1), make(0), make(0), make(1), make(1), make(1)});
      const StoredTensor dst = result_of(matmul(lhs, rhs));
      const T expected[] = {make(4), make(5), make(10), make(11)};
      ASSERT_EQ(dst.view.shape, (Shape{2, 2}));
      EXPECT_EQ(std::memcmp(dst.view.data, expected, sizeof expected), 0);
    });
  }
}

TEST(MatMulTest, IntegersWrap) {
  EXPECT_THAT(values_of<std::int8_t>(result_of(matmul(tensor_of<std::int8_t>({1, 2}, {100, 100}),
                                                      tensor_of<std::int8_t>({2, 1}, {2, 1})))
                                         .view),
              ElementsAre(44));
  EXPECT_THAT(values_of<std::uint16_t>(result_of(matmul(tensor_of<std::uint16_t>({1, 1}, {65535}),
                                                        tensor_of<std::uint16_t>({1, 1}, {65535})))
                                           .view),
              ElementsAre(1));
  EXPECT_THAT(values_of<std::int64_t>(result_of(matmul(tensor_of<std::int64_t>({1, 1}, {INT64_MAX}),
                                                       tensor_of<std::int64_t>({1, 1}, {2})))
                                          .view),
              ElementsAre(-2));
}

TEST(MatMulTest, HalfIsRoundedOnceAtTheEnd) {
  // 2048 + 1 + 1: rounding after each addition would stay at 2048.
  const Half one = to_half(1.0f);
  const StoredTensor dst = result_of(matmul(tensor_of<Half>({1, 3}, {to_half(2048.0f), one, one}),
                                            tensor_of<Half>({3, 1}, {one, one, one})));
  EXPECT_EQ(to_float(values_of<Half>(dst.view)[0]), 2050.0f);
}

TEST(MatMulTest, VectorsAreRowsAndColumns) {
  const StoredTensor matrix = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const StoredTensor two = tensor_of<float>({2}, {1, 10});
  const StoredTensor three = tensor_of<float>({3}, {1, 0, 2});
  const StoredTensor left = result_of(matmul(two, matrix));
  EXPECT_EQ(left.view.shape, (Shape{3}));
  EXPECT_THAT(values_of<float>(left.view), ElementsAre(41, 52, 63));
  const StoredTensor right = result_of(matmul(matrix, three));
  EXPECT_EQ(right.view.shape, (Shape{2}));
  EXPECT_THAT(values_of<float>(right.view), ElementsAre(7, 16));
  const StoredTensor both = result_of(matmul(three, three));
  EXPECT_EQ(both.view.rank(), 0);
  EXPECT_THAT(values_of<float>(both.view), ElementsAre(5));
}

TEST(MatMulTest, EmptyAxesGiveEmptyResultsOrZeros) {
  const StoredTensor no_rows =
      result_of(matmul(new_tensor(DType::kF32, {0, 3}), random_tensor({3, 4}, 1)));
  EXPECT_EQ(no_rows.view.shape, (Shape{0, 4}));
  for (const DType dtype : {DType::kF32, DType::kF16, DType::kI32, DType::kF64}) {
    const StoredTensor no_k =
        result_of(matmul(new_tensor(dtype, {2, 0}), new_tensor(dtype, {0, 3})));
    EXPECT_EQ(no_k.view.shape, (Shape{2, 3}));
    visit_dtype(dtype, [&]<class T>(T) {
      for (const T& value : values_of<T>(no_k.view)) {
        const T zero{};
        EXPECT_EQ(std::memcmp(&value, &zero, sizeof zero), 0);
      }
    });
  }
  const StoredTensor no_batch =
      result_of(matmul(new_tensor(DType::kF32, {0, 2, 3}), random_tensor({1, 3, 4}, 1)));
  EXPECT_EQ(no_batch.view.shape, (Shape{0, 2, 4}));
}

/// Every element of a batched product by the definition, in double.
void expect_product(const StoredTensor& dst, const StoredTensor& lhs, const StoredTensor& rhs,
                    Flags flags = {}) {
  const std::size_t rank = dst.view.shape.size();
  const std::int64_t m = dst.view.shape[rank - 2];
  const std::int64_t n = dst.view.shape[rank - 1];
  const std::int64_t k = lhs.view.shape[lhs.view.shape.size() - (flags.transpose_lhs ? 2 : 1)];
  std::int64_t batches = 1;
  for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
    batches *= dst.view.shape[axis];
  }
  const auto offset = [&](const TensorView& view, std::int64_t batch) {
    std::int64_t result = 0;
    for (std::size_t from_end = 0; from_end + 2 < rank; ++from_end) {
      const std::int64_t extent = dst.view.shape[rank - 3 - from_end];
      const std::int64_t position = batch % extent;
      batch /= extent;
      if (from_end + 2 < view.shape.size()) {
        const std::size_t axis = view.shape.size() - 3 - from_end;
        result += view.shape[axis] == 1 ? 0 : position * view.strides[axis];
      }
    }
    return result;
  };
  const auto matrix_strides = [](const TensorView& view, bool transposed) {
    const std::size_t last = view.shape.size() - 1;
    return transposed ? std::pair(view.strides[last], view.strides[last - 1])
                      : std::pair(view.strides[last - 1], view.strides[last]);
  };
  const auto [a_row, a_k] = matrix_strides(lhs.view, flags.transpose_lhs);
  const auto [b_k, b_column] = matrix_strides(rhs.view, flags.transpose_rhs);
  for (std::int64_t batch = 0; batch < batches; ++batch) {
    const float* a = lhs.view.as<float>() + offset(lhs.view, batch);
    const float* b = rhs.view.as<float>() + offset(rhs.view, batch);
    const float* c = dst.view.as<float>() + offset(dst.view, batch);
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::int64_t step = 0; step < k; ++step) {
          sum += static_cast<double>(a[i * a_row + step * a_k]) *
                 static_cast<double>(b[step * b_k + j * b_column]);
        }
        ASSERT_NEAR(c[i * n + j], sum, 1e-5 * static_cast<double>(k + 1))
            << batch << ", " << i << ", " << j;
      }
    }
  }
}

TEST(MatMulTest, BatchesBroadcastOnBothSides) {
  testing::BackwardsFor pieces;
  struct Case {
    Shape lhs;
    Shape rhs;
  };
  for (const Case& c : {Case{{5, 4, 7}, {7, 9}}, Case{{4, 7}, {5, 7, 9}},
                        Case{{2, 1, 4, 7}, {3, 7, 9}}, Case{{2, 3, 4, 7}, {2, 1, 7, 33}},
                        Case{{3, 2, 1, 1, 7}, {1, 2, 5, 7, 17}}, Case{{64, 3, 20}, {64, 20, 17}},
                        Case{{2, 70, 64}, {2, 64, 130}}, Case{{16, 1, 64}, {64, 48}}}) {
    const StoredTensor lhs = random_tensor(c.lhs, 1);
    const StoredTensor rhs = random_tensor(c.rhs, 2);
    SCOPED_TRACE(to_string(c.lhs) + " x " + to_string(c.rhs));
    expect_product(result_of(matmul(lhs, rhs)), lhs, rhs);
    expect_product(result_of(matmul(lhs, rhs).with_constants().on(pieces)), lhs, rhs);
    expect_product(result_of(matmul(lhs, rhs).on(pieces)), lhs, rhs);
  }
}

TEST(MatMulTest, TransposesAndStridesGiveTheSameBits) {
  const std::int64_t m = 21;
  const std::int64_t n = 35;
  const std::int64_t k = 50;
  const int swapped[] = {0, 2, 1};
  const StoredTensor lhs = random_tensor({2, m, k}, 1);
  const StoredTensor rhs = random_tensor({2, k, n}, 2);
  const std::vector<float> expected = values_of<float>(result_of(matmul(lhs, rhs)).view);
  const auto transposed = [&](const StoredTensor& tensor) {
    StoredTensor result = with_memory_order(tensor, swapped);
    std::swap(result.view.shape[1], result.view.shape[2]);
    std::swap(result.view.strides[1], result.view.strides[2]);
    return result;
  };
  for (const bool constants : {false, true}) {
    const auto values = [&](OneInstruction run) {
      if (constants) {
        run.with_constants();
      }
      return values_of<float>(result_of(std::move(run)).view);
    };
    EXPECT_EQ(values(matmul(lhs, rhs)), expected);
    EXPECT_EQ(values(matmul(with_memory_order(lhs, swapped), with_memory_order(rhs, swapped))),
              expected);
    EXPECT_EQ(values(matmul(transposed(lhs), rhs, {.transpose_lhs = true})), expected);
    EXPECT_EQ(values(matmul(lhs, transposed(rhs), {.transpose_rhs = true})), expected);
    EXPECT_EQ(values(matmul(transposed(lhs), transposed(rhs),
                            {.transpose_lhs = true, .transpose_rhs = true})),
              expected);
  }
}

TEST(MatMulTest, ARowHasTheSameBitsInAnyBatchAtEveryLevel) {
  testing::BackwardsFor pieces;
  const std::int64_t k = 700;
  const std::int64_t n = 150;
  const StoredTensor rhs = random_tensor({k, n}, 2);
  const StoredTensor all = random_tensor({40, k}, 1);
  for (const CpuLevel level : {CpuLevel::kPortable, CpuLevel::kAvx2, CpuLevel::kAvx512}) {
    if (level > detected_cpu_level()) {
      continue;
    }
    const std::vector<float> expected =
        values_of<float>(result_of(matmul(all, rhs).at_level(level).with_constants()).view);
    for (const std::int64_t rows : {1, 2, 3, 7, 19, 40}) {
      StoredTensor part = all;
      part.view.shape[0] = rows;
      const std::vector<float> head(expected.begin(), expected.begin() + rows * n);
      EXPECT_EQ(values_of<float>(result_of(matmul(part, rhs).at_level(level)).view), head) << rows;
      EXPECT_EQ(values_of<float>(result_of(matmul(part, rhs).at_level(level).on(pieces)).view),
                head)
          << rows;
      EXPECT_EQ(values_of<float>(
                    result_of(matmul(part, rhs).at_level(level).with_constants().on(pieces)).view),
                head);
      // As single rows of a batch.
      part.view.shape = {rows, 1, k};
      part.view.strides = {k, k, 1};
      EXPECT_EQ(values_of<float>(result_of(matmul(part, rhs).at_level(level)).view), head) << rows;
    }
  }
}

TEST(MatMulTest, BroadcastOperandsAreReadWithStrideZero) {
  StoredTensor row = tensor_of<float>({1, 3}, {1, 2, 3});
  row.view.shape = {4, 3};
  row.view.strides = {0, 1};
  const StoredTensor rhs = random_tensor({3, 2}, 1);
  const StoredTensor dst = result_of(matmul(row, rhs));
  for (std::int64_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(at(dst, {i, 1}), at(rhs, {0, 1}) + 2 * at(rhs, {1, 1}) + 3 * at(rhs, {2, 1}), 1e-6);
  }
}

TEST(MatMulTest, NamesTheExtentsThatDiffer) {
  auto result = matmul(random_tensor({2, 3}, 1), random_tensor({4, 2}, 1))();
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("lhs axis 1 is 3, rhs axis 0 is 4"));
  result = matmul(random_tensor({2, 2, 3}, 1), random_tensor({3, 3, 2}, 1))();
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("do not broadcast"));
  result = matmul(random_tensor({}, 1), random_tensor({4, 2}, 1))();
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("rank 1 or more"));
}

// ---- MATMUL_INTEGER ----

struct IntegerCase {
  std::int64_t m, n, k;
};

template <class A, class B>
void check_integer(const IntegerCase& c, bool per_row, bool per_column) {
  SCOPED_TRACE(::testing::Message() << c.m << " x " << c.k << " x " << c.n);
  testing::BackwardsFor pieces;
  std::uint32_t state = 1;
  const auto random = [&] {
    return static_cast<std::uint8_t>((state = state * 1664525u + 1013904223u) >> 24);
  };
  const auto fill = [&]<class T>(T, std::int64_t count) {
    std::vector<T> values;
    for (std::int64_t i = 0; i < count; ++i) {
      values.push_back(static_cast<T>(random()));
    }
    return values;
  };
  const std::vector<A> a = fill(A{}, 2 * c.m * c.k);
  const std::vector<B> b = fill(B{}, c.k * c.n);
  const std::vector<A> a_zero = fill(A{}, per_row ? c.m : 1);
  const std::vector<B> b_zero = fill(B{}, per_column ? c.n : 1);
  std::vector<std::int32_t> expected;
  for (std::int64_t i = 0; i < 2 * c.m; ++i) {
    for (std::int64_t j = 0; j < c.n; ++j) {
      std::int32_t sum = 0;
      for (std::int64_t k = 0; k < c.k; ++k) {
        sum += (int{a[static_cast<std::size_t>(i * c.k + k)]} -
                int{a_zero[static_cast<std::size_t>(per_row ? i % c.m : 0)]}) *
               (int{b[static_cast<std::size_t>(k * c.n + j)]} -
                int{b_zero[static_cast<std::size_t>(per_column ? j : 0)]});
      }
      expected.push_back(sum);
    }
  }
  for (const CpuLevel level : {CpuLevel::kPortable, CpuLevel::kAvx2, CpuLevel::kAvx512}) {
    if (level > detected_cpu_level()) {
      continue;
    }
    for (const bool constants : {false, true}) {
      OneInstruction run(isa::Opcode::kMatMulInteger);
      run.tensor("lhs", tensor_of<A>({2, c.m, c.k}, a)).tensor("rhs", tensor_of<B>({c.k, c.n}, b));
      run.tensor("lhs_zero_point", tensor_of<A>({per_row ? c.m : 1}, a_zero));
      run.tensor("rhs_zero_point",
                 per_column ? tensor_of<B>({c.n}, b_zero) : tensor_of<B>({}, b_zero));
      run.at_level(level).on(pieces);
      if (constants) {
        run.with_constants();
      }
      EXPECT_EQ(values_of<std::int32_t>(result_of(std::move(run)).view), expected) << name(level);
    }
  }
}

TEST(MatMulIntegerTest, IsExactWithZeroPointsPerRowAndColumn) {
  for (const IntegerCase& c : {IntegerCase{1, 1, 1}, IntegerCase{1, 17, 3}, IntegerCase{5, 33, 64},
                               IntegerCase{4, 16, 0}, IntegerCase{9, 70, 101}}) {
    check_integer<std::uint8_t, std::int8_t>(c, false, false);
    check_integer<std::uint8_t, std::uint8_t>(c, true, true);
    check_integer<std::int8_t, std::int8_t>(c, true, false);
    check_integer<std::int8_t, std::uint8_t>(c, false, true);
  }
}

TEST(MatMulIntegerTest, ZeroPointsMayBeAbsent) {
  OneInstruction run(isa::Opcode::kMatMulInteger);
  run.tensor("lhs", tensor_of<std::uint8_t>({1, 2}, {255, 255}))
      .tensor("rhs", tensor_of<std::uint8_t>({2}, {255, 255}));
  EXPECT_THAT(values_of<std::int32_t>(result_of(std::move(run)).view), ElementsAre(130050));
}

TEST(MatMulIntegerTest, RefusesZeroPointsOfAnotherLength) {
  OneInstruction run(isa::Opcode::kMatMulInteger);
  run.tensor("lhs", tensor_of<std::uint8_t>({1, 2}, {1, 2}))
      .tensor("rhs", tensor_of<std::uint8_t>({2, 1}, {1, 2}));
  run.tensor("lhs_zero_point", tensor_of<std::uint8_t>({3}, {1, 2, 3}));
  auto result = run();
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message,
              HasSubstr("lhs_zero_point axis 0 is 3, the number of rows is 1"));
}

}  // namespace
}  // namespace pliant::bind
