#include "kernels/selection/compress.h"

namespace pliant::kernels {

void compress(const CompressArguments& arguments, const KernelContext& context) {
  auto* position = reinterpret_cast<std::int64_t*>(context.scratch);
  for (std::int64_t i = 0; i < arguments.condition_count; ++i) {
    if (arguments.condition[i * arguments.condition_stride]) {
      *position++ = i;
    }
  }
  gather(arguments.gather, context);
}

}  // namespace pliant::kernels
