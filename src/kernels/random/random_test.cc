#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/random/reference.h"
#include "support/against_reference.h"

namespace pliant::kernels {
namespace {

void check_row(CpuLevel level, void (*kernel)(const RandomArguments&, const KernelContext&)) {
  for (const DType dtype : {DType::kF32, DType::kF64, DType::kF16, DType::kBF16}) {
    for (const Distribution distribution : {Distribution::kUniform, Distribution::kNormal}) {
      for (const std::int64_t count : {0, 1, 2, 33, 9001}) {
        for (const double second : {2.5, -1.0}) {  // an interval may be empty
          SCOPED_TRACE(std::string(name(dtype)) + ", " + std::to_string(count));
          RandomArguments arguments;
          arguments.count = count;
          arguments.dtype = dtype;
          arguments.distribution = distribution;
          arguments.first = -1.0;
          arguments.second = second;
          arguments.stream = random_stream(7, 3, 1);
          testing::expect_bytes_of_reference(
              static_cast<std::size_t>(count) * byte_size(dtype), 0, level,
              [&](std::byte* target, const KernelContext& context) {
                arguments.target = target;
                kernel(arguments, context);
              },
              [&](std::byte* target) {
                arguments.target = target;
                run_reference(arguments);
              });
        }
      }
    }
  }
}

#define RANDOM_KERNEL(Level, function, Arguments)                       \
  TEST(RandomKernels, Level##_##function) {                             \
    if (CpuLevel::Level > detected_cpu_level()) {                       \
      GTEST_SKIP() << "this processor lacks " << name(CpuLevel::Level); \
    }                                                                   \
    check_row(CpuLevel::Level, function);                               \
  }
#include "kernels/random/kernels.inc"

/// The first numbers of the published generator from seed 0.
TEST(Random, StreamIsSplitMix64) {
  double values[2] = {};
  RandomArguments arguments;
  arguments.target = values;
  arguments.count = 2;
  arguments.dtype = DType::kF64;
  SerialFor serial;
  random(arguments, KernelContext{serial});
  EXPECT_EQ(values[0], std::ldexp(static_cast<double>(0xe220a8397b1dcdafu >> 11), -53));
  EXPECT_EQ(values[1], std::ldexp(static_cast<double>(0x6e789e6aa1b965f4u >> 11), -53));
}

TEST(Random, StreamsDifferInEachOfTheirNumbers) {
  const std::uint64_t streams[] = {random_stream(1, 2, 3), random_stream(2, 2, 3),
                                   random_stream(1, 3, 3), random_stream(1, 2, 4)};
  for (const std::uint64_t& stream : streams) {
    EXPECT_EQ(std::count(std::begin(streams), std::end(streams), stream), 1);
  }
}

TEST(Random, UniformStaysInItsInterval) {
  std::vector<float> values(100000);
  RandomArguments arguments;
  arguments.target = values.data();
  arguments.count = 100000;
  arguments.first = 1.0;
  arguments.second = 1.0 + 0x1p-22;  // few numbers fit in between, so rounding would reach the end
  SerialFor serial;
  random(arguments, KernelContext{serial});
  for (const float value : values) {
    ASSERT_GE(value, 1.0f);
    ASSERT_LT(value, 1.0f + 0x1p-22f);
  }
}

}  // namespace
}  // namespace pliant::kernels
