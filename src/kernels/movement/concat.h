#pragma once

#include <array>
#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/shape.h"

namespace pliant::kernels {

/// Tensors one after another along an axis of the target. Few parts may have any strides, many must
/// be row-major: all of them have to fit into the arguments.
struct ConcatFewArguments {
  static constexpr std::size_t kMaxParts = 12;

  struct Part {
    const void* data = nullptr;
    std::int64_t extent = 0;  ///< along the axis
    Strides strides;
  };
  std::array<Part, kMaxParts> parts;
  std::size_t count = 0;
  void* target = nullptr;
  Shape shape;  ///< of the target
  Strides target_strides;
  std::size_t axis = 0;
  std::int64_t element_size = 4;
};
void concat_few(const ConcatFewArguments& arguments, const KernelContext& context);

struct ConcatManyArguments {
  static constexpr std::size_t kMaxParts = 64;

  struct Part {
    const void* data = nullptr;
    std::int64_t extent = 0;  ///< along the axis
  };
  std::array<Part, kMaxParts> parts;
  std::size_t count = 0;
  void* target = nullptr;
  Shape shape;  ///< of the target
  Strides target_strides;
  std::size_t axis = 0;
  std::int64_t element_size = 4;
};
void concat_many(const ConcatManyArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
