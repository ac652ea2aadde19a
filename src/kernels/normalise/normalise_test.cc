#include "kernels/normalise/normalise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "support/cpu_levels.h"

namespace pliant::kernels {
namespace {

std::vector<float> random_values(std::size_t count, float mean) {
  std::mt19937 random(5);
  std::vector<float> values(count);
  for (float& value : values) {
    value = mean + std::normal_distribution<float>()(random);
  }
  return values;
}

NormaliseParameter in_place(const std::vector<float>& values) {
  NormaliseParameter parameter;
  parameter.data = reinterpret_cast<const std::byte*>(values.data());
  return parameter;
}

TEST(LayerNorm, AgreesWithDoublePrecision) {
  SerialFor serial;
  for (const CpuLevel level : testing::cpu_levels()) {
    for (const std::int64_t count : {1, 2, 7, 8, 17, 64, 768, 1025, 3000}) {
      for (const float offset : {0.0f, 100.0f}) {
        const auto size = static_cast<std::size_t>(count);
        const std::vector<float> x = random_values(size, offset);
        const std::vector<float> scale = random_values(size, 1.0f);
        const std::vector<float> bias = random_values(size, -1.0f);
        std::vector<float> y(size);
        float mean = 0;
        float inverse = 0;
        LayerNormArguments arguments;
        arguments.x = reinterpret_cast<const std::byte*>(x.data());
        arguments.y = reinterpret_cast<std::byte*>(y.data());
        arguments.row_count = 1;
        arguments.row_length = count;
        arguments.epsilon = 1e-5;
        arguments.scale = in_place(scale);
        arguments.bias = in_place(bias);
        arguments.mean = &mean;
        arguments.inverse_deviation = &inverse;
        layer_norm(arguments, {serial, nullptr, level});
        double sum = 0;
        double squares = 0;
        for (const float value : x) {
          sum += static_cast<double>(value);
        }
        const double expected_mean = sum / static_cast<double>(count);
        for (const float value : x) {
          squares += (static_cast<double>(value) - expected_mean) *
                     (static_cast<double>(value) - expected_mean);
        }
        const double expected_inverse = 1 / std::sqrt(squares / static_cast<double>(count) + 1e-5);
        EXPECT_NEAR(mean, expected_mean, 1e-5);
        if (count > 2) {
          EXPECT_NEAR(inverse, expected_inverse, 1e-5 * expected_inverse);
        }
        for (std::size_t i = 0; i < size && count > 2; ++i) {
          const double want = (static_cast<double>(x[i]) - expected_mean) * expected_inverse *
                                  static_cast<double>(scale[i]) +
                              static_cast<double>(bias[i]);
          ASSERT_NEAR(y[i], want, offset == 0.0f ? 1e-5 : 1e-4) << count << " " << i;
        }
      }
    }
  }
}

TEST(LayerNorm, WithoutScaleOrBias) {
  SerialFor serial;
  const std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::vector<float> two(9, 2.0f);
  for (const CpuLevel level : testing::cpu_levels()) {
    const auto run = [&](bool scale, bool bias, LayerNormArguments::Kind kind) {
      std::vector<float> y(9);
      LayerNormArguments arguments;
      arguments.kind = kind;
      arguments.x = reinterpret_cast<const std::byte*>(x.data());
      arguments.y = reinterpret_cast<std::byte*>(y.data());
      arguments.row_count = 1;
      arguments.row_length = 9;
      if (scale) {
        arguments.scale = in_place(two);
      }
      if (bias) {
        arguments.bias = in_place(two);
      }
      layer_norm(arguments, {serial, nullptr, level});
      return y;
    };
    const float deviation = std::sqrt(60.0f / 9.0f);
    EXPECT_NEAR(run(false, false, LayerNormArguments::Kind::kLayerNorm)[8], 4 / deviation, 1e-6);
    EXPECT_NEAR(run(true, false, LayerNormArguments::Kind::kLayerNorm)[8], 8 / deviation, 1e-6);
    EXPECT_NEAR(run(false, true, LayerNormArguments::Kind::kLayerNorm)[8], 4 / deviation + 2, 1e-6);
    EXPECT_NEAR(run(false, false, LayerNormArguments::Kind::kRmsNorm)[8],
                9 / std::sqrt(285.0f / 9.0f), 1e-6);
  }
}

TEST(GroupNorm, NormalisesEachGroupOfChannels) {
  SerialFor serial;
  const std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8, /**/ 0, 0, 0, 0, 10, 20, 30, 40};
  const std::vector<float> scale = {1, 2, 1, 1};
  const std::vector<float> bias = {0, 1, 0, 0};
  for (const CpuLevel level : testing::cpu_levels()) {
    std::vector<float> y(16);
    GroupNormArguments arguments;
    arguments.x = reinterpret_cast<const std::byte*>(x.data());
    arguments.y = reinterpret_cast<std::byte*>(y.data());
    arguments.batch = 2;
    arguments.channels = 4;
    arguments.positions = 2;
    arguments.groups = 2;
    arguments.epsilon = 0;
    arguments.scale = in_place(scale);
    arguments.bias = in_place(bias);
    arguments.epsilon = 1e-9;
    group_norm(arguments, {serial, nullptr, level});
    const float deviation = std::sqrt(1.25f);
    EXPECT_NEAR(y[0], -1.5f / deviation, 1e-6);
    EXPECT_NEAR(y[3], 1.5f / deviation * 2 + 1, 1e-6);
    EXPECT_NEAR(y[4], -1.5f / deviation, 1e-6);
    EXPECT_NEAR(y[8], 0.0f, 1e-6);
    EXPECT_NEAR(y[15], 1.5f / deviation, 1e-6);
  }
}

}  // namespace
}  // namespace pliant::kernels
