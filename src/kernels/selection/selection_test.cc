#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "kernels/elementwise/elementwise.h"
#include "kernels/selection/reference.h"
#include "support/against_reference.h"

// Every row of kernels.inc against the reference.

namespace pliant::kernels {
namespace {

/// Few different numbers, zeros of both signs, NaN and infinities where the type has them.
std::vector<std::byte> numbers(std::size_t count, DType dtype, std::uint32_t seed) {
  constexpr float kSpecial[] = {0.0f, -0.0f, std::numeric_limits<float>::quiet_NaN(),
                                std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity()};
  std::vector<float> values;
  for (const std::byte byte : testing::random_bytes(count, seed)) {
    const int number = std::to_integer<int>(byte) % 29;
    values.push_back(number < 5 ? kSpecial[number] : static_cast<float>(number - 15));
  }
  std::vector<std::byte> bytes(count * byte_size(dtype));
  convert(find_conversion(DType::kF32, dtype, CpuLevel::kPortable), values.data(), bytes.data(),
          static_cast<std::int64_t>(count));
  return bytes;
}

void check_row(CpuLevel level, void (*kernel)(const CompressArguments&, const KernelContext&)) {
  const std::vector<std::byte> x = testing::random_bytes(1 << 16, 1);
  for (const std::int64_t count : {1, 7, 40}) {
    for (const std::int64_t stride : {1, 2, -1}) {
      bool condition[200] = {};
      std::int64_t kept = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        const bool keeps = i % 3 == 0 || i % 5 == 1;
        condition[100 + i * stride] = keeps;
        kept += keeps ? 1 : 0;
      }
      CompressArguments arguments;
      arguments.condition = condition + 100;
      arguments.condition_count = count;
      arguments.condition_stride = stride;
      arguments.gather.x = x.data();
      arguments.gather.shape = {kept};
      arguments.gather.x_strides = {0};
      arguments.gather.index_strides = {1};
      arguments.gather.tuple = {{count}, {13}, 1};
      arguments.gather.length = 13;
      SCOPED_TRACE(std::to_string(count) + " by " + std::to_string(stride));
      testing::expect_bytes_of_reference(
          static_cast<std::size_t>(kept * 13 * 4), static_cast<std::size_t>(kept) * 8, level,
          [&](std::byte* target, const KernelContext& context) {
            arguments.gather.target = target;
            kernel(arguments, context);
          },
          [&](std::byte* target) {
            arguments.gather.target = target;
            run_reference(arguments);
          });
    }
  }
}

void check_row(CpuLevel level, void (*kernel)(const NonZeroArguments&, const KernelContext&)) {
  struct Layout {
    Shape shape;
    Strides strides;
  };
  const Layout layouts[] = {{{}, {}},
                            {{1}, {1}},
                            {{5, 17}, {17, 1}},
                            {{17, 5}, {1, 17}},
                            {{4, 30}, {-30, 2}},
                            {{2, 3, 4}, {0, 4, 1}},
                            {{30, 500}, {500, 1}}};  // several pieces
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    std::vector<std::byte> x = numbers(16000, dtype, 2);
    for (const Layout& layout : layouts) {
      SCOPED_TRACE(std::string(name(dtype)) + " " + to_string(layout.shape));
      NonZeroArguments arguments;
      arguments.x = {x.data() + 100 * byte_size(dtype), dtype, layout.shape, layout.strides};
      arguments.found = count_non_zero(arguments.x, SerialFor());
      testing::expect_bytes_of_reference(
          static_cast<std::size_t>(arguments.found) * layout.shape.size() * 8, kNonZeroPieces * 8,
          level,
          [&](std::byte* target, const KernelContext& context) {
            arguments.target = reinterpret_cast<std::int64_t*>(target);
            kernel(arguments, context);
          },
          [&](std::byte* target) {
            arguments.target = reinterpret_cast<std::int64_t*>(target);
            run_reference(arguments);
          });
    }
  }
}

/// Indices come first in the result, then values.
void check_top_k(TopKArguments arguments, CpuLevel level,
                 void (*kernel)(const TopKArguments&, const KernelContext&)) {
  const std::int64_t count = element_count(arguments.rows) * arguments.k;
  const std::size_t index_bytes = static_cast<std::size_t>(count) * 8;
  const auto set_target = [&](std::byte* target) {
    arguments.indices = reinterpret_cast<std::int64_t*>(target);
    arguments.values = target + index_bytes;
  };
  testing::expect_bytes_of_reference(
      index_bytes + static_cast<std::size_t>(count) * byte_size(arguments.dtype),
      3 * top_k_scratch_bytes(arguments.extent, arguments.k), level,
      [&](std::byte* target, const KernelContext& context) {
        set_target(target);
        kernel(arguments, context);
      },
      [&](std::byte* target) {
        set_target(target);
        run_reference(arguments);
      });
}

void check_row(CpuLevel level, void (*kernel)(const TopKArguments&, const KernelContext&)) {
  for (int i = 0; i < kDTypeCount; ++i) {
    TopKArguments arguments;
    arguments.dtype = static_cast<DType>(i);
    const std::vector<std::byte> x = numbers(20000, arguments.dtype, 3);
    for (const TopKOrder order : {TopKOrder::kLargest, TopKOrder::kSmallest}) {
      for (const std::int64_t extent : {1, 2, 9, 255, 257, 600}) {
        for (const std::int64_t k : {std::int64_t{1}, extent / 8, extent / 2, extent}) {
          if (k == 0) {
            continue;
          }
          SCOPED_TRACE(std::string(name(arguments.dtype)) + ": " + std::to_string(k) + " of " +
                       std::to_string(extent));
          arguments.order = order;
          arguments.extent = extent;
          arguments.k = k;
          arguments.x = x.data() + 10000 * byte_size(arguments.dtype);
          arguments.rows = {2, 3};  // rows are neighbours in memory
          arguments.x_strides = {3 * extent, extent};
          arguments.target_strides = {3 * k, k};
          arguments.x_stride = arguments.target_stride = 1;
          check_top_k(arguments, level, kernel);
          arguments.rows = {5};  // columns
          arguments.x_strides = arguments.target_strides = {1};
          arguments.x_stride = -5;
          arguments.target_stride = 5;
          check_top_k(arguments, level, kernel);
        }
      }
    }
  }
}

void check_row(CpuLevel level,
               void (*kernel)(const NonMaxSuppressionArguments&, const KernelContext&)) {
  std::vector<float> boxes;
  std::vector<float> scores;
  for (const std::byte byte : testing::random_bytes(2 * 30 * 4, 4)) {
    boxes.push_back(static_cast<float>(std::to_integer<int>(byte) % 17));
  }
  for (const std::byte byte : testing::random_bytes(2 * 3 * 30, 5)) {
    const int score = std::to_integer<int>(byte) % 20;
    scores.push_back(score == 0 ? std::numeric_limits<float>::quiet_NaN()
                                : static_cast<float>(score) / 8);
  }
  NonMaxSuppressionArguments arguments;
  arguments.boxes = boxes.data();
  arguments.scores = scores.data();
  arguments.batch = 2;
  arguments.classes = 3;
  for (const BoxForm form : {BoxForm::kCorners, BoxForm::kCenter}) {
    for (const std::int64_t box_count : {0, 1, 2, 30}) {
      for (const std::int64_t limit : {0, 1, 5, 100}) {
        for (const float overlap : {0.0f, 0.3f, 1.0f}) {
          for (const bool has_threshold : {false, true}) {
            SCOPED_TRACE(std::to_string(limit) + " of " + std::to_string(box_count));
            arguments.form = form;
            arguments.box_count = box_count;
            arguments.limit = limit;
            arguments.overlap = overlap;
            arguments.has_threshold = has_threshold;
            arguments.threshold = 1.0f;
            const std::size_t scratch_bytes = non_max_suppression_scratch_bytes(arguments);
            std::vector<std::int64_t> scratch(scratch_bytes / 8 + 1);
            const std::int64_t selected = count_selected_boxes(
                arguments, reinterpret_cast<std::byte*>(scratch.data()), SerialFor());
            testing::expect_bytes_of_reference(
                static_cast<std::size_t>(selected) * 3 * 8, scratch_bytes, level,
                [&](std::byte* target, const KernelContext& context) {
                  arguments.target = reinterpret_cast<std::int64_t*>(target);
                  kernel(arguments, context);
                },
                [&](std::byte* target) {
                  arguments.target = reinterpret_cast<std::int64_t*>(target);
                  run_reference(arguments);
                });
          }
        }
      }
    }
  }
}

#define SELECTION_KERNEL(Level, function, Arguments)                    \
  TEST(SelectionKernels, Level##_##function) {                          \
    if (CpuLevel::Level > detected_cpu_level()) {                       \
      GTEST_SKIP() << "this processor lacks " << name(CpuLevel::Level); \
    }                                                                   \
    check_row(CpuLevel::Level, function);                               \
  }
#include "kernels/selection/kernels.inc"

/// Rows that are longer than what is sorted in one go, in the orders that are known to be hard.
TEST(TopK, SortsLongRows) {
  constexpr std::int64_t kExtent = 300001;
  const std::function<std::uint32_t(std::int64_t)> kOrders[] = {
      [](std::int64_t i) { return static_cast<std::uint32_t>(i) * 2654435761U; },
      [](std::int64_t i) { return static_cast<std::uint32_t>(i); },
      [](std::int64_t i) { return static_cast<std::uint32_t>(kExtent - i); },
      [](std::int64_t i) { return static_cast<std::uint32_t>(std::min(i, kExtent - i)); },
      [](std::int64_t i) { return static_cast<std::uint32_t>(i % 7); },
      [](std::int64_t) { return 5U; }};
  for (const auto& value : kOrders) {
    std::vector<std::uint32_t> x;
    std::vector<std::int64_t> expected;
    for (std::int64_t i = 0; i < kExtent; ++i) {
      x.push_back(value(i));
      expected.push_back(i);
    }
    std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) {
      return x[static_cast<std::size_t>(a)] < x[static_cast<std::size_t>(b)];
    });
    for (const std::int64_t k : {std::int64_t{1}, std::int64_t{70000}, kExtent - 1, kExtent}) {
      std::vector<std::int64_t> indices(static_cast<std::size_t>(k));
      std::vector<std::byte> scratch(top_k_scratch_bytes(kExtent, k));
      TopKArguments arguments;
      arguments.x = x.data();
      arguments.indices = indices.data();
      arguments.rows = {1};
      arguments.x_strides = arguments.target_strides = {0};
      arguments.extent = kExtent;
      arguments.k = k;
      arguments.order = TopKOrder::kSmallest;
      arguments.dtype = DType::kU32;
      SerialFor serial;
      top_k(arguments, {serial, scratch.data()});
      EXPECT_TRUE(std::equal(indices.begin(), indices.end(), expected.begin())) << k;
    }
  }
}

}  // namespace
}  // namespace pliant::kernels
