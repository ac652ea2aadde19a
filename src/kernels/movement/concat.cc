#include "kernels/movement/concat.h"

#include "kernels/movement/copy.h"

namespace pliant::kernels {
namespace {

Strides strides_of(const ConcatFewArguments::Part& part, const Shape& shape) {
  static_cast<void>(shape);
  return part.strides;
}

Strides strides_of(const ConcatManyArguments::Part& part, const Shape& shape) {
  static_cast<void>(part);
  return contiguous_strides(shape);
}

template <class Arguments>
void concat(const Arguments& arguments, const KernelContext& context) {
  std::int64_t first = 0;
  for (std::size_t i = 0; i < arguments.count; ++i) {
    const auto& part = arguments.parts[i];
    Shape shape = arguments.shape;
    shape[arguments.axis] = part.extent;
    const std::int64_t offset = first * arguments.target_strides[arguments.axis];
    copy_strided(
        CopyArguments{
            part.data, static_cast<std::byte*>(arguments.target) + offset * arguments.element_size,
            shape, strides_of(part, shape), arguments.target_strides, arguments.element_size},
        context);
    first += part.extent;
  }
}

}  // namespace

void concat_few(const ConcatFewArguments& arguments, const KernelContext& context) {
  concat(arguments, context);
}

void concat_many(const ConcatManyArguments& arguments, const KernelContext& context) {
  concat(arguments, context);
}

}  // namespace pliant::kernels
