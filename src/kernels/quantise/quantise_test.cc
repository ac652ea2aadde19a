#include "kernels/quantise/quantise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/quantise/elements.h"
#include "kernels/quantise/reference.h"
#include "support/as_double.h"
#include "support/backwards_for.h"

namespace pliant::kernels::quantise {
namespace {

using testing::as_double;

/// A row of kernels.inc.
struct Kernels {
  CpuLevel level;
  void (*quantise)(const QuantiseArguments&, const KernelContext&);
  void (*dequantise)(const QuantiseArguments&, const KernelContext&);
  void (*dynamic)(const DynamicQuantiseArguments&, const KernelContext&);
};
const Kernels kKernels[] = {
#define QUANTISE_KERNELS(Level, of_quantize, of_dequantize, of_dynamic_quantize) \
  {CpuLevel::Level, &(of_quantize), &(of_dequantize), &(of_dynamic_quantize)},
#include "kernels/quantise/kernels.inc"
};

/// Elements of any type in memory of their own.
class Elements {
 public:
  Elements(DType dtype, std::int64_t count)
      : dtype_(dtype), memory_(static_cast<std::size_t>(count) * byte_size(dtype)) {}

  /// Rounds to the type.
  void set(std::int64_t at, double value) {
    visit_dtype(dtype_, [&](auto zero) {
      using T = decltype(zero);
      T& element = reinterpret_cast<T*>(memory_.data())[at];
      if constexpr (std::is_same_v<T, Half>) {
        element = to_half(static_cast<float>(value));
      } else if constexpr (std::is_same_v<T, BFloat16>) {
        element = to_bfloat16(static_cast<float>(value));
      } else {
        element = static_cast<T>(value);
      }
    });
  }
  [[nodiscard]] double get(std::int64_t at) const {
    return visit_dtype(dtype_, [&](auto zero) {
      return as_double(reinterpret_cast<const decltype(zero)*>(memory_.data())[at]);
    });
  }
  [[nodiscard]] void* data() { return memory_.data(); }
  [[nodiscard]] DType dtype() const { return dtype_; }

 private:
  DType dtype_;
  std::vector<std::byte> memory_;
};

/// Whole numbers in [least, most].
class Numbers {
 public:
  double next(std::int64_t least, std::int64_t most) {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<double>(least + static_cast<std::int64_t>(state_ >> 8) % (most - least + 1));
  }

 private:
  std::uint32_t state_ = 3;
};

struct Case {
  Granularity granularity;
  std::int64_t outer, axis, inner, block;
};
/// A stretch of elements is kStretch long; runs with one scale end within and at its edges.
const Case kCases[] = {
    {Granularity::kTensor, 1, 1, 1, 0},
    {Granularity::kTensor, 1, 0, 3, 0},
    {Granularity::kTensor, 1, kStretch - 1, 1, 0},
    {Granularity::kTensor, 1, kStretch, 1, 0},
    {Granularity::kTensor, 1, 2 * kStretch + 1, 1, 0},
    {Granularity::kAxis, 1, 1, 1, 0},
    {Granularity::kAxis, 3, 5, 1, 0},
    {Granularity::kAxis, 2, kStretch + 7, 1, 0},
    {Granularity::kAxis, 2, 3, kStretch - 1, 0},
    {Granularity::kAxis, 2, 3, kStretch + 1, 0},
    {Granularity::kAxis, 0, 4, 2, 0},
    {Granularity::kBlocks, 2, 7, 1, 3},
    {Granularity::kBlocks, 2, 2 * kStretch + 5, 1, kStretch + 1},
    {Granularity::kBlocks, 2, 6, 5, 2},
    {Granularity::kBlocks, 1, 5, kStretch + 3, 4},
    {Granularity::kBlocks, 1, 4, 3, 9},
};

std::int64_t elements_of(const Case& c) {
  return c.outer * c.axis * c.inner;
}
std::int64_t scales_of(const Case& c) {
  if (c.granularity == Granularity::kBlocks) {
    return c.outer * ((c.axis + c.block - 1) / c.block) * c.inner;
  }
  return c.granularity == Granularity::kAxis ? c.axis : 1;
}

QuantiseArguments arguments_for(const Case& c, Elements& x, Elements& scale, Elements& zero_point,
                                Elements& dst) {
  return {.granularity = c.granularity,
          .outer = c.outer,
          .axis = c.axis,
          .inner = c.inner,
          .block = c.block,
          .x = x.data(),
          .x_dtype = x.dtype(),
          .scale = scale.data(),
          .scale_dtype = scale.dtype(),
          .zero_point = zero_point.data(),
          .zero_point_dtype = zero_point.dtype(),
          .dst = dst.data(),
          .dst_dtype = dst.dtype()};
}

class QuantiseTest : public ::testing::TestWithParam<Kernels> {
 protected:
  void SetUp() override {
    if (GetParam().level > detected_cpu_level()) {
      GTEST_SKIP() << "this processor lacks " << name(GetParam().level);
    }
  }

  /// The kernel writes what the reference says, rounded to dst's type.
  template <class Kernel, class Reference>
  static void check(Kernel kernel, Reference reference, const QuantiseArguments& arguments,
                    const Elements& dst) {
    testing::BackwardsFor pieces(100);
    kernel(arguments, {pieces, nullptr, GetParam().level});
    const std::int64_t count = arguments.outer * arguments.axis * arguments.inner;
    std::vector<double> expected(static_cast<std::size_t>(count));
    reference(arguments, expected.data());
    Elements rounded(dst.dtype(), count);
    for (std::int64_t i = 0; i < count; ++i) {
      rounded.set(i, expected[static_cast<std::size_t>(i)]);
      const double want = rounded.get(i);
      const double got = dst.get(i);
      ASSERT_TRUE(got == want || (std::isnan(got) && std::isnan(want)))
          << name(arguments.x_dtype) << " to " << name(arguments.dst_dtype) << ", element " << i
          << " of " << count << ": " << got << ", not " << want;
    }
  }
};

constexpr DType kNarrow[] = {DType::kU8, DType::kI8, DType::kU16, DType::kI16};
constexpr DType kFloats[] = {DType::kF32, DType::kF16, DType::kBF16};

TEST_P(QuantiseTest, QuantiseGivesWhatTheReferenceSays) {
  for (const Case& c : kCases) {
    for (const DType from : {DType::kF32, DType::kF16, DType::kBF16, DType::kI32}) {
      for (const DType to : kNarrow) {
        Numbers numbers;
        Elements x(from, elements_of(c));
        Elements scale(from, scales_of(c));
        Elements zero_point(to, scales_of(c));
        Elements dst(to, elements_of(c));
        const bool is_float = from != DType::kI32;
        for (std::int64_t i = 0; i < elements_of(c); ++i) {
          x.set(i, is_float ? numbers.next(-2000, 2000) / 8 : numbers.next(-900000, 900000));
        }
        for (std::int64_t i = 0; i < scales_of(c); ++i) {  // many quotients are ties
          scale.set(i, is_float ? numbers.next(1, 16) / 4 : numbers.next(1, 4000));
          zero_point.set(i, numbers.next(0, 100));
        }
        QuantiseArguments arguments = arguments_for(c, x, scale, zero_point, dst);
        check(GetParam().quantise, quantise_reference, arguments, dst);
        arguments.zero_point = nullptr;
        check(GetParam().quantise, quantise_reference, arguments, dst);
      }
    }
  }
}

TEST_P(QuantiseTest, DequantiseGivesWhatTheReferenceSays) {
  for (const Case& c : kCases) {
    for (const DType from : {DType::kU8, DType::kI8, DType::kU16, DType::kI16, DType::kI32}) {
      for (const DType to : kFloats) {
        Numbers numbers;
        Elements x(from, elements_of(c));
        Elements scale(to, scales_of(c));
        Elements zero_point(from, scales_of(c));
        Elements dst(to, elements_of(c));
        for (std::int64_t i = 0; i < elements_of(c); ++i) {
          x.set(i,
                from == DType::kI32 ? numbers.next(-9000000, 9000000) * 100 : numbers.next(0, 127));
        }
        for (std::int64_t i = 0; i < scales_of(c); ++i) {
          scale.set(i, numbers.next(1, 999) / 1000);
          zero_point.set(i, numbers.next(0, 127));
        }
        QuantiseArguments arguments = arguments_for(c, x, scale, zero_point, dst);
        check(GetParam().dequantise, dequantise_reference, arguments, dst);
        arguments.zero_point = nullptr;
        check(GetParam().dequantise, dequantise_reference, arguments, dst);
      }
    }
  }
}

TEST_P(QuantiseTest, ExtremesSaturate) {
  const Case c{Granularity::kTensor, 1, 8, 1, 0};
  const double infinity = std::numeric_limits<double>::infinity();
  const double values[] = {infinity, -infinity, NAN, 3e38, -3e38, 1e-45, -0.0, 0.5};
  for (const double scale_value : {1.0, 1e-38, 3e38, 0.0, infinity}) {
    for (const DType to : kNarrow) {
      Elements x(DType::kF32, 8);
      Elements scale(DType::kF32, 1);
      Elements zero_point(to, 1);
      Elements dst(to, 8);
      for (std::int64_t i = 0; i < 8; ++i) {
        x.set(i, values[i]);
      }
      scale.set(0, scale_value);
      zero_point.set(0, 7);
      check(GetParam().quantise, quantise_reference, arguments_for(c, x, scale, zero_point, dst),
            dst);
    }
  }
}

TEST_P(QuantiseTest, DynamicQuantiseGivesWhatTheReferenceSays) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> few[] = {{},
                                    {0.0f},
                                    {3.0f},
                                    {-3.0f, -1.0f},
                                    {1.0f, NAN, -2.0f},
                                    {NAN},
                                    {infinity, 1.0f, -1.0f},
                                    {3e38f, -3e38f}};
  std::vector<std::vector<float>> inputs(std::begin(few), std::end(few));
  Numbers numbers;
  for (const std::size_t count : {7, 8, 9, 33, 70000}) {
    std::vector<float> x(count);
    for (float& value : x) {
      value = static_cast<float>(numbers.next(-1000, 3000)) / 7.0f;
    }
    inputs.push_back(x);
  }
  for (const std::vector<float>& x : inputs) {
    const auto count = static_cast<std::int64_t>(x.size());
    std::vector<std::uint8_t> dst(x.size());
    float scale = 0;
    std::uint8_t zero_point = 99;
    testing::BackwardsFor pieces(1000);
    std::vector<float> scratch(dynamic_quantise_scratch_bytes(pieces.worker_count()) /
                               sizeof(float));
    const DynamicQuantiseArguments arguments{.count = count,
                                             .x = x.data(),
                                             .dst = dst.data(),
                                             .scale = &scale,
                                             .zero_point = &zero_point,
                                             .worker_count = pieces.worker_count()};
    GetParam().dynamic(arguments,
                       {pieces, reinterpret_cast<std::byte*>(scratch.data()), GetParam().level});
    std::vector<double> expected(x.size());
    const DynamicScale want = dynamic_quantise_reference(arguments, expected.data());
    EXPECT_EQ(scale, want.scale) << count << " elements";
    EXPECT_EQ(zero_point, want.zero_point) << count << " elements";
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(dst[i], expected[i]) << i << " of " << count;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, QuantiseTest, ::testing::ValuesIn(kKernels),
                         [](const auto& kernels) {
                           return std::string(name(kernels.param.level));
                         });

}  // namespace
}  // namespace pliant::kernels::quantise
