#pragma once

#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/view.h"

namespace pliant::kernels {

enum class Distribution : std::uint8_t {
  kUniform,  ///< in [first, second)
  kNormal,   ///< mean `first`, standard deviation `second`
};

/// Random numbers that depend on the stream and the element alone, never on threads.
///
/// Source: element i comes from the i-th number of a splitmix64 stream (Steele, Lea, Flood, OOPSLA
/// 2014, doi:10.1145/2660193.2660195); normal numbers by Box and Muller, Ann. Math. Stat. 29(2), 1958.
struct RandomArguments {
  void* target = nullptr;  ///< row-major
  std::int64_t count = 0;
  DType dtype = DType::kF32;  ///< f32, f16, bf16 or f64
  Distribution distribution = Distribution::kUniform;
  double first = 0;
  double second = 1;
  std::uint64_t stream = 0;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(target);
  }
};

/// Mixes what tells streams apart into one number.
[[nodiscard]] std::uint64_t random_stream(std::uint64_t seed, std::uint64_t run,
                                          std::uint64_t instruction);

/// Threads: splits the elements. Errors: none.
void random(const RandomArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
