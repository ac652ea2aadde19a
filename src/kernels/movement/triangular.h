#pragma once

#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/shape.h"

namespace pliant::kernels {

/// Which side of the diagonal stays; the diagonal itself does.
enum class KeptSide : std::uint8_t { kUpper, kLower };

/// x with zeros on the other side of a diagonal of its last two axes.
struct TriangularArguments {
  const void* x = nullptr;
  void* target = nullptr;  ///< row-major
  Shape shape;             ///< at least two axes
  Strides x_strides;
  std::int64_t diagonal = 0;  ///< column - row of the diagonal, in -rows..columns
  KeptSide side = KeptSide::kUpper;
  std::int64_t element_size = 4;

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(target);
  }
};

/// Threads: splits the target by rows. Errors: none.
void triangular(const TriangularArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
