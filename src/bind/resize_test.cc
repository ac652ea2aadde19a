#include "kernels/resize/resize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/one_instruction.h"

namespace pliant {
namespace {

using testing::OneInstruction;
using testing::random_tensor;
using testing::tensor_of;
using testing::values_of;
using testing::with_memory_order;

struct ResizeCase {
  Shape shape;
  std::vector<std::int64_t> sizes;
  isa::Interpolation mode;
  isa::Coordinates coordinates;
  bool antialias, exclude_outside;
};

const std::vector<ResizeCase>& resize_cases() {
  using M = isa::Interpolation;
  using C = isa::Coordinates;
  static const std::vector<ResizeCase> cases{
      {{1, 19, 7, 9}, {1, 19, 14, 18}, M::kLinear, C::kHalfPixel, false, false},
      {{2, 3, 5, 5}, {2, 3, 13, 21}, M::kLinear, C::kAlignCorners, false, false},
      {{1, 8, 10, 12}, {1, 8, 3, 5}, M::kLinear, C::kPytorchHalfPixel, false, false},
      {{1, 4, 6, 6}, {1, 4, 12, 3}, M::kCubic, C::kHalfPixel, false, false},
      {{1, 4, 6, 6}, {1, 4, 12, 3}, M::kCubic, C::kAsymmetric, false, true},
      {{1, 2, 17, 20}, {1, 2, 4, 6}, M::kLinear, C::kHalfPixel, true, false},
      {{1, 2, 17, 20}, {1, 2, 4, 6}, M::kCubic, C::kHalfPixelSymmetric, true, true},
      {{3, 4, 5}, {3, 4, 33}, M::kLinear, C::kAsymmetric, false, false},
      {{2, 3, 4, 3, 5}, {2, 3, 6, 7, 4}, M::kLinear, C::kHalfPixel, false, false},
      {{1, 1, 1, 1}, {1, 1, 4, 4}, M::kLinear, C::kHalfPixel, false, false},
      {{1, 2, 4, 4}, {1, 2, 4, 4}, M::kCubic, C::kHalfPixel, false, false},
  };
  return cases;
}

OneInstruction prepared(const ResizeCase& c, const StoredTensor& x) {
  OneInstruction run(isa::Opcode::kResize);
  run.tensor("x", x).set("sizes", isa::numbers(c.sizes)).set("mode", isa::choice(c.mode));
  run.set("coordinates", isa::choice(c.coordinates)).set("antialias", isa::flag(c.antialias));
  run.set("exclude_outside", isa::flag(c.exclude_outside));
  return run;
}

std::vector<double> by_definition(const ResizeCase& c, const StoredTensor& x) {
  kernels::resize::ResizeArguments arguments;
  arguments.rank = x.view.rank();
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < c.sizes.size(); ++axis) {
    const std::int64_t input = c.shape[axis];
    arguments.axes[axis] = {input,
                            c.sizes[axis],
                            static_cast<double>(c.sizes[axis]) / static_cast<double>(input),
                            0.0,
                            1.0,
                            static_cast<int>(axis),
                            input != c.sizes[axis]};
    count *= c.sizes[axis];
  }
  arguments.mode = static_cast<kernels::resize::Mode>(c.mode);
  arguments.coordinates = static_cast<kernels::resize::Coordinates>(c.coordinates);
  arguments.antialias = c.antialias;
  arguments.exclude_outside = c.exclude_outside;
  std::vector<double> y(static_cast<std::size_t>(count));
  resize_reference(arguments, x.view.as<float>(), y.data());
  return y;
}

class Resizing : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Resizing, EveryLevelAndLayoutMatchesTheDefinition) {
  const ResizeCase& c = resize_cases()[GetParam()];
  const StoredTensor x = random_tensor(c.shape, 3);
  const std::vector<double> expected = by_definition(c, x);
  std::vector<int> order{0};
  for (std::size_t axis = 2; axis < c.shape.size(); ++axis) {
    order.push_back(static_cast<int>(axis));
  }
  order.push_back(1);
  const StoredTensor channels_last = with_memory_order(x, order);
  for (const CpuLevel level : {CpuLevel::kPortable, CpuLevel::kAvx2, CpuLevel::kAvx512}) {
    if (level > detected_cpu_level()) {
      continue;
    }
    auto first = prepared(c, x).at_level(level)();
    auto last = prepared(c, channels_last).at_level(level)();
    ASSERT_TRUE(first && last);
    const std::vector<float> values = values_of<float>((*first)[0].view);
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_NEAR(values[i], expected[i], 2e-6) << name(level) << " element " << i;
    }
    EXPECT_EQ(values_of<float>((*last)[0].view), values) << "layout changes bits";
    if (c.shape[1] > 1) {
      EXPECT_EQ((*last)[0].view.strides[1], 1) << "channels-last input, channels-last result";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Resizing, ::testing::Range<std::size_t>(0, 11));

TEST(Resize, NearestCopiesAnyType) {
  const StoredTensor x =
      tensor_of<std::int64_t>({1, 2, 2}, {1, 2, 3, std::numeric_limits<std::int64_t>::max()});
  const auto run = [&](isa::NearestRounding rounding) {
    auto results = OneInstruction(isa::Opcode::kResize)
                       .tensor("x", x)
                       .set("sizes", isa::numbers(std::vector{1, 2, 5}))
                       .set("rounding", isa::choice(rounding))();
    return values_of<std::int64_t>((*results)[0].view);
  };
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  // half_pixel: positions -0.3, 0.1, 0.5, 0.9, 1.3
  EXPECT_EQ(run(isa::NearestRounding::kRoundPreferFloor),
            (std::vector<std::int64_t>{1, 1, 1, 2, 2, 3, 3, 3, most, most}));
  EXPECT_EQ(run(isa::NearestRounding::kRoundPreferCeil),
            (std::vector<std::int64_t>{1, 1, 2, 2, 2, 3, 3, most, most, most}));
  EXPECT_EQ(run(isa::NearestRounding::kFloor),
            (std::vector<std::int64_t>{1, 1, 1, 1, 2, 3, 3, 3, 3, most}));
  EXPECT_EQ(run(isa::NearestRounding::kCeil),
            (std::vector<std::int64_t>{1, 2, 2, 2, 2, 3, most, most, most, most}));
}

TEST(Resize, NearestKeepsChannelsLast) {
  const StoredTensor x = random_tensor({2, 5, 3, 4}, 1);
  const std::vector<int> order{0, 2, 3, 1};
  const auto run = [](const StoredTensor& from) {
    auto results = OneInstruction(isa::Opcode::kResize)
                       .tensor("x", from)
                       .set("sizes", isa::numbers(std::vector{2, 5, 6, 8}))();
    return (*results)[0];
  };
  const StoredTensor last = run(with_memory_order(x, order));
  EXPECT_EQ(values_of<float>(last.view), values_of<float>(run(x).view));
  EXPECT_EQ(last.view.strides[1], 1);
}

TEST(Resize, IntegersAreCutOffAndSaturate) {
  auto results = OneInstruction(isa::Opcode::kResize)
                     .tensor("x", tensor_of<std::uint8_t>({4}, {0, 255, 255, 0}))
                     .set("sizes", isa::numbers(std::vector{8}))
                     .set("mode", isa::choice(isa::Interpolation::kCubic))();
  ASSERT_TRUE(results);
  const std::vector<std::uint8_t> y = values_of<std::uint8_t>((*results)[0].view);
  EXPECT_EQ(y[3], 255);  // overshoots
  EXPECT_EQ(y[0], 0);    // undershoots
}

TEST(Resize, ScalarsAndEmptyTensorsAreOrdinary) {
  auto scalar = OneInstruction(isa::Opcode::kResize)
                    .tensor("x", tensor_of<float>({}, {5}))
                    .set("sizes", isa::list({}))();
  ASSERT_TRUE(scalar);
  EXPECT_EQ(values_of<float>((*scalar)[0].view), std::vector<float>{5});
  auto empty = OneInstruction(isa::Opcode::kResize)
                   .tensor("x", random_tensor({0, 3}, 1))
                   .set("sizes", isa::numbers(std::vector{0, 7}))();
  ASSERT_TRUE(empty);
  EXPECT_EQ((*empty)[0].view.shape, (Shape{0, 7}));
}

TEST(Resize, MessagesNameBothSides) {
  auto results = OneInstruction(isa::Opcode::kResize)
                     .tensor("x", random_tensor({0, 3}, 1))
                     .set("sizes", isa::numbers(std::vector{2, 3}))();
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message, "RESIZE: axis 0 has no elements to resize to 2");
  results = OneInstruction(isa::Opcode::kResize)
                .tensor("x", random_tensor({2, 3}, 1))
                .set("sizes", isa::numbers(std::vector{3}))();
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message, "RESIZE: sizes has 1 values, expected 2");
}

}  // namespace
}  // namespace pliant
