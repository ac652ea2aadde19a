#include "kernels/elementwise/scalar_loops.inl.h"

namespace pliant::kernels {

ElementwiseLoop reference_elementwise_loop(ElementwiseFunction function, DType dtype) {
  static const ElementwiseRow rows[] = {
#define ELEMENTWISE_FUNCTION(Name, Types) Types<elementwise_functions::Name>(),
#include "kernels/elementwise/functions.inc"
  };
  return rows[static_cast<std::size_t>(function)][at(dtype)];
}

}  // namespace pliant::kernels
