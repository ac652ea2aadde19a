#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "kernels/elementwise/elementwise.h"
#include "kernels/gather/reference.h"
#include "support/against_reference.h"

// Every row of kernels.inc against the reference.

namespace pliant::kernels {
namespace {

std::size_t count_of(const Shape& shape) {
  return static_cast<std::size_t>(element_count(shape));
}

/// Indices of both widths into an axis of `extent` elements, from either end.
struct Indices {
  Indices(std::size_t count, std::int64_t extent) {
    const std::vector<std::byte> random = testing::random_bytes(count, 3);
    for (std::size_t i = 0; i < count; ++i) {
      wide.push_back(std::to_integer<std::int64_t>(random[i]) % (2 * extent) - extent);
      narrow.push_back(static_cast<std::int32_t>(wide.back()));
    }
  }
  [[nodiscard]] const void* of_size(std::int64_t bytes) const {
    return bytes == 4 ? static_cast<const void*>(narrow.data()) : wide.data();
  }
  std::vector<std::int64_t> wide;
  std::vector<std::int32_t> narrow;
};

void check_gather(const std::string& what, GatherArguments arguments, CpuLevel level,
                  void (*kernel)(const GatherArguments&, const KernelContext&)) {
  const std::vector<std::byte> x = testing::random_bytes(1 << 16, 1);
  const Indices indices(4096, arguments.tuple.extents.empty() ? 1 : 3);
  for (const std::int64_t size : {1, 2, 4, 8}) {
    for (const std::int64_t index_size : {4, 8}) {
      SCOPED_TRACE(what + ", elements of " + std::to_string(size) + ", indices of " +
                   std::to_string(index_size));
      arguments.x = x.data() + (1 << 15);
      arguments.indices = indices.of_size(index_size);
      arguments.element_size = size;
      arguments.index_size = index_size;
      testing::expect_bytes_of_reference(
          count_of(arguments.shape) * static_cast<std::size_t>(arguments.length * size), 0, level,
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

void check_row(CpuLevel level, void (*kernel)(const GatherArguments&, const KernelContext&)) {
  const auto check = [&](const std::string& what, const GatherArguments& arguments) {
    check_gather(what, arguments, level, kernel);
  };
  GatherArguments arguments;
  arguments.shape = {7};  // seven rows of 33 among three
  arguments.x_strides = {0};
  arguments.index_strides = {1};
  arguments.tuple = {{3}, {33}, 1};
  for (const std::int64_t length : {1, 2, 16, 33}) {
    for (const std::int64_t stride : {1, 3, -2, 0}) {
      arguments.length = length;
      arguments.line_stride = stride;
      check("rows of " + std::to_string(length) + " by " + std::to_string(stride), arguments);
    }
  }
  arguments.shape = {5, 1, 9};  // single elements: a column axis stays, tuples of two
  arguments.x_strides = {1, 0, -7};
  arguments.index_strides = {2, 5, 20};
  arguments.tuple = {{3, 3}, {50, -11}, 200};
  arguments.length = 1;
  check("tuples of two", arguments);
  arguments.tuple = {};
  check("tuples of none", arguments);
  arguments.shape = {1};
  arguments.x_strides = {0};
  arguments.index_strides = {0};
  arguments.tuple = {{1}, {1}, 1};
  check("one element", arguments);
}

/// Small numbers of a type, some of them NaN or infinite where it has those.
std::vector<std::byte> numbers(std::size_t count, DType dtype, std::uint32_t seed) {
  std::vector<float> values;
  for (const std::byte byte : testing::random_bytes(count, seed)) {
    const int number = std::to_integer<int>(byte);
    values.push_back(number == 200   ? std::numeric_limits<float>::quiet_NaN()
                     : number == 201 ? -std::numeric_limits<float>::infinity()
                                     : 0.37f * static_cast<float>(number % 11) - 1.5f);
  }
  std::vector<std::byte> bytes(count * byte_size(dtype));
  convert(find_conversion(DType::kF32, dtype, CpuLevel::kPortable), values.data(), bytes.data(),
          static_cast<std::int64_t>(count));
  return bytes;
}

void check_scatter(const std::string& what, ScatterArguments arguments, DType dtype, CpuLevel level,
                   void (*kernel)(const ScatterArguments&, const KernelContext&)) {
  const std::vector<std::byte> x = numbers(count_of(arguments.copy.shape), dtype, 4);
  const std::vector<std::byte> updates = numbers(4096, dtype, 5);
  const Indices indices(4096, 3);
  arguments.copy.source = x.data();
  arguments.copy.element_size = static_cast<std::int64_t>(byte_size(dtype));
  arguments.updates = updates.data();
  for (const UpdateRule rule : {UpdateRule::kReplace, UpdateRule::kAdd, UpdateRule::kMultiply,
                                UpdateRule::kMaximum, UpdateRule::kMinimum}) {
    arguments.functions = update_functions(dtype, rule);
    for (const std::int64_t index_size : {4, 8}) {
      SCOPED_TRACE(what + ", rule " + std::to_string(static_cast<int>(rule)) + ", " +
                   std::string(name(dtype)));
      arguments.indices = indices.of_size(index_size);
      arguments.index_size = index_size;
      testing::expect_bytes_of_reference(
          x.size(), scatter_scratch_bytes(arguments.functions, element_count(arguments.copy.shape)),
          level,
          [&](std::byte* target, const KernelContext& context) {
            arguments.copy.target = target;
            kernel(arguments, context);
          },
          [&](std::byte* target) {
            arguments.copy.target = target;
            run_reference(arguments, dtype, rule);
          });
    }
  }
}

void check_row(CpuLevel level, void (*kernel)(const ScatterArguments&, const KernelContext&)) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto check = [&](const std::string& what, const ScatterArguments& arguments) {
      check_scatter(what, arguments, static_cast<DType>(i), level, kernel);
    };
    ScatterArguments rows;  // 40 updates of rows among three, one tuple per row; x is transposed
    rows.copy.shape = {3, 37};
    rows.copy.source_strides = {1, 3};
    rows.copy.target_strides = {37, 1};
    rows.independent = {{37}, {1}, {1}, {0}};
    rows.ordered = {{40}, {0}, {37}, {1}};
    rows.tuple = {{3}, {37}, 1};
    check("rows", rows);
    rows.independent.updates = {40};
    rows.ordered.updates = {1};
    check("rows of transposed updates", rows);
    ScatterArguments elements = rows;  // a tuple per element
    elements.independent = {{37}, {1}, {2}, {1}};
    elements.ordered = {{20}, {0}, {0}, {37}};  // one row of updates again and again
    check("elements", elements);
    ScatterArguments points;  // tuples of two, so that nothing is independent
    points.copy.shape = {3, 3};
    points.copy.source_strides = points.copy.target_strides = {3, 1};
    points.independent = {{1}, {0}, {0}, {0}};
    points.ordered = {{4, 50}, {0, 0}, {50, 1}, {1, 4}};
    points.tuple = {{3, 3}, {3, 1}, 200};
    check("points", points);
    points.ordered.shape = {4, 0};
    check("no updates", points);
  }
}

#define GATHER_KERNEL(Level, function, Arguments)                       \
  TEST(GatherKernels, Level##_##function) {                             \
    if (CpuLevel::Level > detected_cpu_level()) {                       \
      GTEST_SKIP() << "this processor lacks " << name(CpuLevel::Level); \
    }                                                                   \
    check_row(CpuLevel::Level, function);                               \
  }
#include "kernels/gather/kernels.inc"

}  // namespace
}  // namespace pliant::kernels
