#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "kernels/creation/reference.h"
#include "kernels/elementwise/elementwise.h"
#include "support/against_reference.h"

// Every row of kernels.inc against the reference.

namespace pliant::kernels {
namespace {

template <class Arguments>
void expect_reference(Arguments arguments, std::int64_t result_bytes, CpuLevel level,
                      void (*kernel)(const Arguments&, const KernelContext&)) {
  using Target = decltype(arguments.target);
  testing::expect_bytes_of_reference(
      static_cast<std::size_t>(result_bytes), 0, level,
      [&](std::byte* target, const KernelContext& context) {
        arguments.target = reinterpret_cast<Target>(target);
        kernel(arguments, context);
      },
      [&](std::byte* target) {
        arguments.target = reinterpret_cast<Target>(target);
        run_reference(arguments);
      });
}

/// These numbers in a type, by CAST's rules.
std::vector<std::byte> numbers(const std::vector<float>& values, DType dtype) {
  std::vector<std::byte> bytes(values.size() * byte_size(dtype));
  convert(find_conversion(DType::kF32, dtype, CpuLevel::kPortable), values.data(), bytes.data(),
          static_cast<std::int64_t>(values.size()));
  return bytes;
}

void check_row(CpuLevel level, void (*kernel)(const StoreNumbersArguments&, const KernelContext&)) {
  for (const Shape& shape : {Shape{}, Shape{-5}, Shape{1, 2, 3, 4, 5, 6, 7, 8}}) {
    expect_reference({nullptr, shape}, static_cast<std::int64_t>(shape.size()) * 8, level, kernel);
  }
}

void check_row(CpuLevel level, void (*kernel)(const FillArguments&, const KernelContext&)) {
  const std::vector<std::byte> value = testing::random_bytes(8, 1);
  for (const std::int64_t size : {1, 2, 4, 8}) {
    for (const std::int64_t count : {0, 1, 33, 40000}) {
      SCOPED_TRACE(std::to_string(count) + " of " + std::to_string(size));
      expect_reference({value.data(), nullptr, count, size}, count * size, level, kernel);
    }
  }
}

void check_row(CpuLevel level, void (*kernel)(const RangeArguments&, const KernelContext&)) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (dtype == DType::kBool) {
      continue;  // RANGE has numbers
    }
    const std::vector<std::byte> ends = numbers({100.5f, -3.3f, 0.0f, kInfinity, -1.0f}, dtype);
    for (std::size_t pair = 0; pair < 4; ++pair) {
      for (const std::int64_t count : {0, 1, 17, 20000}) {
        SCOPED_TRACE(std::string(name(dtype)) + ", pair " + std::to_string(pair));
        const std::byte* start = ends.data() + pair * byte_size(dtype);
        expect_reference({start, start + byte_size(dtype), nullptr, count, dtype},
                         count * static_cast<std::int64_t>(byte_size(dtype)), level, kernel);
      }
    }
  }
}

void check_row(CpuLevel level, void (*kernel)(const OneHotArguments&, const KernelContext&)) {
  const std::vector<float> positions = {
      0.0f,  1.0f,  -1.0f, 2.9f,  -2.9f, -0.5f,
      5.0f,  -5.0f, 4.0f,  -6.0f, 1e9f,  std::numeric_limits<float>::quiet_NaN(),
      1e30f, -1e30f};
  const std::vector<std::byte> elements = testing::random_bytes(16, 2);
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    const std::vector<std::byte> indices = numbers(positions, dtype);
    for (const std::int64_t inner : {1, 2, 7}) {
      for (const std::int64_t depth : {1, 5, 40}) {
        for (const std::int64_t size : {1, 2, 4, 8}) {
          SCOPED_TRACE(std::string(name(dtype)) + ", depth " + std::to_string(depth));
          OneHotArguments arguments;
          arguments.indices = indices.data();
          arguments.off = elements.data();
          arguments.on = elements.data() + 8;
          arguments.outer = static_cast<std::int64_t>(positions.size()) / inner;
          arguments.depth = depth;
          arguments.inner = inner;
          arguments.index_dtype = dtype;
          arguments.element_size = size;
          expect_reference(arguments, arguments.outer * depth * inner * size, level, kernel);
        }
      }
    }
  }
}

#define CREATION_KERNEL(Level, function, Arguments)                     \
  TEST(CreationKernels, Level##_##function) {                           \
    if (CpuLevel::Level > detected_cpu_level()) {                       \
      GTEST_SKIP() << "this processor lacks " << name(CpuLevel::Level); \
    }                                                                   \
    check_row(CpuLevel::Level, function);                               \
  }
#include "kernels/creation/kernels.inc"

}  // namespace
}  // namespace pliant::kernels
