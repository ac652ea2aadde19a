// One tile of MATMUL_INTEGER for the CPU level that the including file is compiled for.

#include "kernels/gemm/integer.h"
#include "kernels/simd/vector.h"

namespace pliant::kernels::PLIANT_SIMD_LEVEL {
namespace {

constexpr int kIntegerVectors = 2;
constexpr int kIntegerColumns = kIntegerVectors * kWidth;

/// Lane by lane: low * low + high * high of 16-bit pairs.
PLIANT_INLINE Int multiply_pairs(Int a, Int b) {
#if defined(__AVX512F__)
  return reinterpret_cast<Int>(
      _mm512_madd_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
  return reinterpret_cast<Int>(
      _mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#else
  return reinterpret_cast<Int>(
      _mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#endif
}

// Unsigned, so that sums wrap.
using Sums = std::uint32_t __attribute__((vector_size(kWidth * 4)));

void integer_tile(const gemm::IntegerTileArguments& arguments) {
  Sums sums[gemm::kIntegerTileRows][kIntegerVectors] = {};
  for (std::int64_t pair = 0; pair < arguments.pairs; ++pair) {
    Int row_of_b[kIntegerVectors];
    __builtin_memcpy(row_of_b, arguments.b + pair * kIntegerColumns * 2, sizeof row_of_b);
    for (int i = 0; i < gemm::kIntegerTileRows; ++i) {
      std::int32_t both = 0;
      __builtin_memcpy(&both, arguments.a + i * arguments.a_row_stride + pair * 2, sizeof both);
      const Int elements = broadcast(both);
      for (int j = 0; j < kIntegerVectors; ++j) {
        sums[i][j] += reinterpret_cast<Sums>(multiply_pairs(elements, row_of_b[j]));
      }
    }
  }
  __builtin_memcpy(arguments.sums, sums, sizeof sums);
}

}  // namespace
}  // namespace pliant::kernels::PLIANT_SIMD_LEVEL
