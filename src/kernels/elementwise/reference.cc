#include "kernels/elementwise/reference.h"

#include "kernels/movement/element_offset.h"

namespace pliant::kernels {
namespace {

/// The element of a view with this row-major number.
std::byte* element(const TensorView& view, std::int64_t number) {
  return view.as<std::byte>() + element_offset(view.shape, view.strides, number) *
                                    static_cast<std::int64_t>(byte_size(view.dtype));
}

}  // namespace

void run_reference(const ElementwiseLoop& loop, const TensorView* inputs, const TensorView& result,
                   double alpha, double beta) {
  for (std::int64_t i = 0; i < result.element_count(); ++i) {
    std::uint64_t operands[kMaxElementwiseInputs] = {};  // room for any type
    std::uint64_t value = 0;
    DenseStrip strip;
    for (int input = 0; input < loop.input_count; ++input) {
      convert(find_conversion(inputs[input].dtype, loop.inputs[input], CpuLevel::kPortable),
              element(inputs[input], i), &operands[input], 1);
      strip.inputs[input] = &operands[input];
    }
    strip.result = &value;
    strip.count = 1;
    strip.alpha = alpha;
    strip.beta = beta;
    loop.run(strip);
    convert(find_conversion(loop.result, result.dtype, CpuLevel::kPortable), &value,
            element(result, i), 1);
  }
}

}  // namespace pliant::kernels
