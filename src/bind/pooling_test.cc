#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bind/operator.h"
#include "support/one_instruction.h"

namespace pliant {
namespace {

using testing::OneInstruction;
using testing::random_tensor;
using testing::tensor_of;
using testing::values_of;
using testing::with_memory_order;

struct PoolCase {
  Shape shape;
  std::vector<int> window, strides, pads, dilations;
  bool ceil_mode, count_padding;
};

const std::vector<PoolCase>& pool_cases() {
  static const std::vector<PoolCase> cases{
      {{2, 19, 9, 11}, {3, 3}, {2, 2}, {1, 1, 1, 1}, {1, 1}, false, false},
      {{1, 5, 17, 17}, {2, 2}, {2, 2}, {0, 1, 0, 1}, {1, 1}, true, true},
      {{1, 8, 12, 12}, {1, 1}, {2, 2}, {0, 0, 0, 0}, {1, 1}, true, false},
      {{1, 3, 20}, {4}, {1}, {2, 1}, {2}, false, true},
      {{1, 2, 3, 6, 5}, {3, 3, 3}, {3, 3, 3}, {1, 1, 1, 1, 1, 1}, {1, 1, 1}, true, false},
      {{1, 33, 1, 40}, {1, 20}, {1, 20}, {0, 0, 0, 0}, {1, 1}, false, false},
      {{1, 1, 20, 20}, {17, 17}, {1, 1}, {0, 0, 0, 0}, {1, 1}, false, false},
      {{0, 3, 5, 5}, {2, 2}, {1, 1}, {0, 0, 0, 0}, {1, 1}, false, false},
  };
  return cases;
}

StoredTensor widened(const StoredTensor& tensor) {
  const std::vector<float> values = values_of<float>(tensor.view);
  return tensor_of<double>(tensor.view.shape, {values.begin(), values.end()});
}

StoredTensor pooled(isa::Opcode opcode, const PoolCase& c, const StoredTensor& x, CpuLevel level) {
  OneInstruction run(opcode);
  run.tensor("x", x)
      .at_level(level)
      .set("window", isa::numbers(c.window))
      .set("strides", isa::numbers(c.strides));
  run.set("pads", isa::numbers(c.pads)).set("dilations", isa::numbers(c.dilations));
  run.set("ceil_mode", isa::flag(c.ceil_mode));
  if (opcode == isa::Opcode::kAveragePool) {
    run.set("count_padding", isa::flag(c.count_padding));
  }
  auto results = run();
  EXPECT_TRUE(results) << (results ? "" : results.error().message);
  return (*results)[0];
}

std::vector<int> channels_last_order(std::size_t rank) {
  std::vector<int> order{0};
  for (std::size_t axis = 2; axis < rank; ++axis) {
    order.push_back(static_cast<int>(axis));
  }
  order.push_back(1);
  return order;
}

class Pooling : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Pooling, EveryLevelAndLayoutMatchesF64) {
  const PoolCase& c = pool_cases()[GetParam()];
  const StoredTensor x = random_tensor(c.shape, 5);
  const StoredTensor last = with_memory_order(x, channels_last_order(c.shape.size()));
  for (const isa::Opcode opcode : {isa::Opcode::kMaxPool, isa::Opcode::kAveragePool}) {
    const StoredTensor expected = pooled(opcode, c, widened(x), CpuLevel::kPortable);
    const std::vector<double> numbers = values_of<double>(expected.view);
    for (const CpuLevel level : {CpuLevel::kPortable, CpuLevel::kAvx2, CpuLevel::kAvx512}) {
      if (level > detected_cpu_level()) {
        continue;
      }
      const StoredTensor first = pooled(opcode, c, x, level);
      ASSERT_EQ(first.view.shape, expected.view.shape);
      const std::vector<float> values = values_of<float>(first.view);
      for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_NEAR(values[i], numbers[i], 1e-6) << name(level) << " element " << i;
      }
      const StoredTensor kept = pooled(opcode, c, last, level);
      EXPECT_EQ(values_of<float>(kept.view), values) << "layout changes bits";
      if (c.shape[1] > 1 && kept.view.element_count() > 0) {
        EXPECT_EQ(kept.view.strides[1], 1) << "channels-last input, channels-last result";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Pooling, ::testing::Range<std::size_t>(0, 8));

TEST(MaxPool, ANanInTheWindowWins) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const StoredTensor x = tensor_of<float>({1, 1, 6}, {1, nan, 3, 4, 5, 6});
  auto results = OneInstruction(isa::Opcode::kMaxPool)
                     .tensor("x", x)
                     .set("window", isa::numbers(std::vector{2}))();
  ASSERT_TRUE(results);
  const std::vector<float> y = values_of<float>((*results)[0].view);
  ASSERT_EQ(y.size(), 5u);
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_EQ(y[2], 4.0f);
}

TEST(MaxPool, IndicesPointAtTheFirstMaximum) {
  const StoredTensor x =
      tensor_of<std::int8_t>({1, 2, 2, 3}, {1, 7, 7, 2, 0, 7, -5, -5, -6, -5, -9, -5});
  for (const bool column_major : {false, true}) {
    auto results = OneInstruction(isa::Opcode::kMaxPool)
                       .tensor("x", x)
                       .set("window", isa::numbers(std::vector{2, 2}))
                       .set("column_major", isa::flag(column_major))
                       .want("indices")();
    ASSERT_TRUE(results);
    EXPECT_EQ(values_of<std::int8_t>((*results)[0].view), (std::vector<std::int8_t>{7, 7, -5, -5}));
    const std::vector<std::int64_t> expected = column_major ? std::vector<std::int64_t>{2, 2, 6, 8}
                                                            : std::vector<std::int64_t>{1, 1, 6, 7};
    EXPECT_EQ(values_of<std::int64_t>((*results)[1].view), expected);
  }
}

TEST(AveragePool, HalvesAreSummedInSinglePrecision) {
  std::vector<Half> ones(
      4096, Half{0x3c00});  // 4096 * 1.0 overflows nothing in f32, but 2049 is not a half
  auto results = OneInstruction(isa::Opcode::kAveragePool)
                     .tensor("x", tensor_of<Half>({1, 1, 4096}, ones))
                     .set("window", isa::numbers(std::vector{4096}))();
  ASSERT_TRUE(results);
  EXPECT_EQ(values_of<Half>((*results)[0].view)[0].bits, 0x3c00);
}

TEST(Pool, MessagesNameBothSides) {
  const StoredTensor x = random_tensor({1, 2, 3}, 1);
  auto results = OneInstruction(isa::Opcode::kMaxPool)
                     .tensor("x", x)
                     .set("window", isa::numbers(std::vector{5}))();
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message,
            "MAX_POOL: spatial axis 0 of x is 3 with padding 0, the window covers 5");
  results = OneInstruction(isa::Opcode::kMaxPool)
                .tensor("x", x)
                .set("window", isa::numbers(std::vector{2, 2}))();
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message, "MAX_POOL: x has rank 3, expected 4");
}

}  // namespace
}  // namespace pliant
