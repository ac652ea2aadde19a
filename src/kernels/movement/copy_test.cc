#include "kernels/movement/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "support/backwards_for.h"

namespace pliant::kernels {
namespace {

/// One line per element, to compare with.
void copy_simply(const CopyArguments& arguments) {
  const Strides numbers = contiguous_strides(arguments.shape);
  for (std::int64_t i = 0; i < element_count(arguments.shape); ++i) {
    std::int64_t from = 0;
    std::int64_t to = 0;
    for (std::size_t axis = 0; axis < arguments.shape.size(); ++axis) {
      const std::int64_t index = i / numbers[axis] % arguments.shape[axis];
      from += index * arguments.source_strides[axis];
      to += index * arguments.target_strides[axis];
    }
    std::memcpy(static_cast<char*>(arguments.target) + to * arguments.element_size,
                static_cast<const char*>(arguments.source) + from * arguments.element_size,
                static_cast<std::size_t>(arguments.element_size));
  }
}

struct Layout {
  Shape shape;
  Strides source;
  std::int64_t source_first;
  Strides target;
};

/// Bytes that the elements of a layout span.
std::size_t span_bytes(const Shape& shape, const Strides& strides, std::int64_t first,
                       std::int64_t element_size) {
  std::int64_t elements = first + 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    elements +=
        std::max<std::int64_t>(shape[axis] - 1, 0) * std::max<std::int64_t>(strides[axis], 0);
  }
  return static_cast<std::size_t>(elements * element_size);
}

void expect_same_as_simple(const Layout& layout, std::int64_t element_size) {
  std::vector<unsigned char> source(
      span_bytes(layout.shape, layout.source, layout.source_first, element_size));
  std::uint32_t state = 1;
  for (unsigned char& byte : source) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<unsigned char>(state >> 24);
  }
  std::vector<unsigned char> expected(span_bytes(layout.shape, layout.target, 0, element_size), 7);
  std::vector<unsigned char> actual(expected.size());
  CopyArguments arguments{source.data() + layout.source_first * element_size,
                          expected.data(),
                          layout.shape,
                          layout.source,
                          layout.target,
                          element_size};
  copy_simply(arguments);
  testing::BackwardsFor one_by_one(1);
  SerialFor serial;
  for (ParallelFor* parallel :
       {static_cast<ParallelFor*>(&one_by_one), static_cast<ParallelFor*>(&serial)}) {
    std::fill(actual.begin(), actual.end(), static_cast<unsigned char>(7));
    arguments.target = actual.data();
    copy_strided(arguments, KernelContext{*parallel});
    EXPECT_EQ(actual, expected) << to_string(layout.shape) << " size " << element_size;
  }
}

TEST(CopyStrided, EveryLayoutAndElementSize) {
  const Layout layouts[] = {
      {{}, {}, 0, {}},
      {{5}, {1}, 0, {1}},
      {{1000}, {1}, 0, {1}},
      {{5}, {-1}, 4, {1}},
      {{100}, {0}, 3, {1}},
      {{37, 61}, {1, 37}, 0, {61, 1}},  // matrix transpose
      {{64, 32}, {1, 64}, 0, {32, 1}},
      {{3, 67}, {1, 3}, 0, {67, 1}},  // too few rows for tiles
      {{2, 33, 65}, {33 * 65, 1, 33}, 0, {33 * 65, 65, 1}},
      {{2, 3, 34, 35}, {3570, 1, 105, 3}, 0, {3570, 1190, 35, 1}},  // channels-last to row-major
      {{2, 3, 34, 35}, {3570, 1190, 35, 1}, 0, {3570, 1, 105, 3}},  // and back
      {{4, 6, 5}, {5, 20, 1}, 0, {30, 5, 1}},                       // exchanged heads and rows
      {{4, 7}, {0, 1}, 0, {7, 1}},
      {{4, 7}, {1, 0}, 0, {7, 1}},
      {{7, 9}, {20, 2}, 1, {9, 1}},
      {{7, 9}, {9, 1}, 0, {30, 3}},  // gaps in the target
      {{7, 9}, {-9, -1}, 62, {9, 1}},
      {{1, 8, 1, 3}, {99, 3, 99, 1}, 0, {99, 3, 99, 1}},
      {{8, 0, 3}, {0, 3, 1}, 0, {0, 3, 1}},
      {{2, 2, 2, 2, 2, 2, 2, 2}, {1, 2, 4, 8, 16, 32, 64, 128}, 0, {128, 64, 32, 16, 8, 4, 2, 1}},
  };
  for (const Layout& layout : layouts) {
    for (const std::int64_t element_size : {1, 2, 4, 8}) {
      expect_same_as_simple(layout, element_size);
    }
  }
}

TEST(CopyStrided, EverySizeAroundTheTiles) {
  for (std::int64_t rows = 1; rows <= 67; rows += 3) {
    for (std::int64_t columns = 1; columns <= 67; ++columns) {
      expect_same_as_simple({{rows, columns}, {1, rows}, 0, {columns, 1}}, 4);
    }
  }
}

TEST(CopyStrided, LongRunsAreCutIntoPieces) {
  const std::int64_t count = 100000;
  expect_same_as_simple({{count}, {1}, 0, {1}}, 4);
  expect_same_as_simple({{2, count / 2}, {0, 1}, 0, {count / 2, 1}}, 4);
}

TEST(CopyStrided, EmptyTensorsMayHaveNoMemory) {
  SerialFor serial;
  copy_strided(CopyArguments{nullptr, nullptr, {2, 0, 3}, {3, 3, 1}, {3, 3, 1}, 4},
               KernelContext{serial});
}

}  // namespace
}  // namespace pliant::kernels
