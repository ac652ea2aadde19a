#include "kernels/gemm/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "kernels/gemm/reference.h"
#include "support/backwards_for.h"
#include "threads/parallel_for.h"

namespace pliant::kernels::gemm {
namespace {

std::vector<float> random_floats(std::int64_t count, std::uint32_t seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::uint32_t state = seed * 2654435761u + 1;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(static_cast<std::int32_t>(state) >> 8) * 0x1p-23f;
  }
  return values;
}

bool same_bits(float a, float b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

struct Problem {
  std::int64_t m, n, k;
};

class GemmTest : public ::testing::TestWithParam<CpuLevel> {
 protected:
  void SetUp() override {
    if (GetParam() > detected_cpu_level()) {
      GTEST_SKIP() << "this processor lacks " << name(GetParam());
    }
  }
  const MicroKernels& kernels() const { return micro_kernels(GetParam()); }

  /// Multiplies with gaps between rows, and compares every bit, also of the gaps.
  void check(const Problem& p, Start start, ParallelFor& parallel) {
    SCOPED_TRACE(::testing::Message()
                 << "m=" << p.m << " n=" << p.n << " k=" << p.k << " start=" << int(start));
    const std::int64_t a_stride = p.k + 3;
    const std::int64_t c_stride = p.n + 5;
    const std::vector<float> a = random_floats(p.m * a_stride + 1, 1);
    const std::vector<float> b = random_floats(p.k * p.n + 1, 2);
    const std::vector<float> bias = random_floats(p.n + 1, 3);
    const std::vector<float> before = random_floats(p.m * c_stride + 1, 4);
    std::vector<float> c = before;
    const MatrixView b_view{b.data(), p.n, 1};
    std::vector<float> panels(static_cast<std::size_t>(packed_elements(kernels(), p.k, p.n)) + 1);
    pack_b(kernels(), b_view, p.k, p.n, panels.data(), parallel);
    gemm(kernels(),
         {.m = p.m,
          .n = p.n,
          .k = p.k,
          .a = a.data(),
          .a_row_stride = a_stride,
          .b = packed_panels(kernels(), panels.data(), p.k),
          .c = c.data(),
          .c_row_stride = c_stride,
          .bias = start == Start::kBias ? bias.data() : nullptr,
          .start = start},
         parallel);
    int wrong = 0;
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t j = 0; j < c_stride; ++j) {
        const std::size_t at = static_cast<std::size_t>(i * c_stride + j);
        float expected = before[at];
        if (j < p.n) {
          const float first = start == Start::kZero   ? 0.0f
                              : start == Start::kBias ? bias[static_cast<std::size_t>(j)]
                                                      : before[at];
          expected =
              reference_element(GetParam(), {a.data(), a_stride, 1}, b_view, p.k, i, j, first);
        }
        wrong += same_bits(c[at], expected) ? 0 : 1;
      }
    }
    EXPECT_EQ(wrong, 0);
  }
};

TEST_P(GemmTest, GivesTheBitsOfOneAscendingChainAroundBlockEdges) {
  SerialFor serial;
  testing::BackwardsFor pieces;
  const std::int64_t columns = kernels().columns;
  for (const std::int64_t m : {0, 1, 2, 3, 5, 6, 7, 11, 13, 32, 33}) {
    for (const std::int64_t n :
         {std::int64_t{0}, std::int64_t{1}, columns - 1, columns, columns + 1, 5 * columns + 3}) {
      for (const std::int64_t k : {0, 1, 3, 4, 5, 17}) {
        check({m, n, k}, Start::kZero, serial);
      }
      check({m, n, 6}, Start::kBias, pieces);
      check({m, n, 0}, Start::kBias, pieces);
      check({m, n, 9}, Start::kResult, pieces);
    }
  }
}

TEST_P(GemmTest, KeepsTheChainAcrossBlocksOfKAndThreads) {
  SerialFor serial;
  testing::BackwardsFor pieces;
  for (const Problem& p : {Problem{1, 300, 1100}, Problem{7, 70, 1537}, Problem{40, 130, 1025},
                           Problem{301, 65, 300}, Problem{620, 20, 64}, Problem{313, 70, 1025}}) {
    check(p, Start::kZero, serial);
    check(p, Start::kZero, pieces);
    check(p, Start::kBias, pieces);
  }
}

TEST_P(GemmTest, PacksAnyStridesAndFillsUpWithZeros) {
  constexpr std::int64_t kRows = 11;
  constexpr std::int64_t kColumns = 13;
  const std::vector<float> b = random_floats(kRows * kColumns * 4, 5);
  const float* middle = b.data() + 2 * kRows * kColumns;
  for (const MatrixView& view :
       {MatrixView{b.data(), kColumns, 1}, MatrixView{b.data(), 1, kRows},
        MatrixView{b.data(), 2, 2 * kRows}, MatrixView{middle, -kColumns, 1},
        MatrixView{middle, 1, -kRows}, MatrixView{b.data(), 0, 1}, MatrixView{b.data(), 0, 0}}) {
    SerialFor serial;
    std::vector<float> panels(static_cast<std::size_t>(packed_elements(kernels(), kRows, kColumns)),
                              99.0f);
    pack_b(kernels(), view, kRows, kColumns, panels.data(), serial);
    const std::int64_t columns = kernels().columns;
    for (std::int64_t at = 0; at < static_cast<std::int64_t>(panels.size()); ++at) {
      const std::int64_t j = at / (kRows * columns) * columns + at % columns;
      const std::int64_t i = at / columns % kRows;
      const float expected =
          j < kColumns ? view.data[i * view.row_stride + j * view.column_stride] : 0.0f;
      ASSERT_EQ(panels[static_cast<std::size_t>(at)], expected) << "row " << i << " column " << j;
    }
  }
}

TEST_P(GemmTest, ReadsBInPlaceWithTheBitsOfPackedPanels) {
  SerialFor serial;
  for (const Problem& p : {Problem{1, 150, 40}, Problem{3, 64, 300}, Problem{14, 200, 33}}) {
    const std::vector<float> a = random_floats(p.m * p.k, 1);
    const std::vector<float> b = random_floats(p.k * p.n, 2);
    const std::int64_t columns = kernels().columns;
    std::vector<float> tail(static_cast<std::size_t>(p.k * columns));
    const std::int64_t whole = p.n / columns * columns;
    if (whole < p.n) {
      pack_panel({b.data(), p.n, 1}, p.k, whole, p.n - whole, columns, tail.data());
    }
    std::vector<float> c(static_cast<std::size_t>(p.m * p.n));
    gemm_serial(
        kernels(),
        {.m = p.m,
         .n = p.n,
         .k = p.k,
         .a = a.data(),
         .a_row_stride = p.k,
         .b = {.data = b.data(), .row_stride = p.n, .panel_stride = columns, .tail = tail.data()},
         .c = c.data(),
         .c_row_stride = p.n},
        SerialFor());
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t j = 0; j < p.n; ++j) {
        ASSERT_EQ(
            c[static_cast<std::size_t>(i * p.n + j)],
            reference_element(GetParam(), {a.data(), p.k, 1}, {b.data(), p.n, 1}, p.k, i, j, 0.0f));
      }
    }
  }
}

TEST_P(GemmTest, IndirectRowsGiveTheBitsOfRowsInPlace) {
  constexpr std::int64_t kSegments = 3;
  constexpr std::int64_t kLength = 7;
  constexpr std::int64_t k = kSegments * kLength;
  const std::int64_t columns = kernels().columns;
  const std::vector<float> pool = random_floats(400, 6);
  const std::vector<float> b = random_floats(k * columns, 7);
  for (int rows = 1; rows <= kMaxTileRows; ++rows) {
    std::vector<const float*> pointers;
    std::vector<float> a;
    for (int segment = 0; segment < kSegments; ++segment) {
      for (int i = 0; i < rows; ++i) {
        pointers.push_back(pool.data() + (segment * 31 + i * 17) % 350);
      }
    }
    for (int i = 0; i < rows; ++i) {
      for (int segment = 0; segment < kSegments; ++segment) {
        const float* from = pointers[static_cast<std::size_t>(segment * rows + i)] + 2;
        a.insert(a.end(), from, from + kLength);
      }
    }
    std::vector<float> c(static_cast<std::size_t>(rows * columns), 1.0f);
    kernels().indirect_tile[rows]({.segments = kSegments,
                                   .segment_length = kLength,
                                   .rows = pointers.data(),
                                   .pointer_stride = rows,
                                   .offset = 2,
                                   .b = b.data(),
                                   .b_row_stride = columns,
                                   .c = c.data(),
                                   .c_row_stride = columns,
                                   .columns = columns - 1});
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        const float expected = j == columns - 1
                                   ? 1.0f
                                   : reference_element(GetParam(), {a.data(), k, 1},
                                                       {b.data(), columns, 1}, k, i, j, 0.0f);
        ASSERT_EQ(c[static_cast<std::size_t>(i * columns + j)], expected)
            << rows << " rows, " << i << ", " << j;
      }
    }
  }
}

TEST_P(GemmTest, KeepsNaNAndInfinityInTheirRowsAndColumns) {
  SerialFor serial;
  constexpr std::int64_t kSize = 20;
  std::vector<float> a(kSize * kSize, 1.0f);
  std::vector<float> b(kSize * kSize, 1.0f);
  a[3 * kSize + 5] = std::numeric_limits<float>::quiet_NaN();
  b[4 * kSize + 19] = std::numeric_limits<float>::infinity();
  std::vector<float> panels(static_cast<std::size_t>(packed_elements(kernels(), kSize, kSize)));
  pack_b(kernels(), {b.data(), kSize, 1}, kSize, kSize, panels.data(), serial);
  std::vector<float> c(kSize * kSize);
  gemm_serial(kernels(),
              {.m = kSize,
               .n = kSize,
               .k = kSize,
               .a = a.data(),
               .a_row_stride = kSize,
               .b = packed_panels(kernels(), panels.data(), kSize),
               .c = c.data(),
               .c_row_stride = kSize},
              serial);
  for (std::int64_t i = 0; i < kSize; ++i) {
    for (std::int64_t j = 0; j < kSize; ++j) {
      const float value = c[static_cast<std::size_t>(i * kSize + j)];
      if (i == 3) {
        EXPECT_TRUE(std::isnan(value));
      } else {
        EXPECT_EQ(value, j == 19 ? std::numeric_limits<float>::infinity() : 20.0f);
      }
    }
  }
}

const CpuLevel kLevels[] = {
#define GEMM_KERNELS(Level, object) CpuLevel::k##Level,
#include "kernels/gemm/kernels.inc"
};
INSTANTIATE_TEST_SUITE_P(Levels, GemmTest, ::testing::ValuesIn(kLevels),
                         [](const auto& level) { return std::string(name(level.param)); });

}  // namespace
}  // namespace pliant::kernels::gemm
