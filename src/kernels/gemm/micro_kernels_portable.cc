#include "kernels/gemm/micro_kernels.inl.h"

namespace pliant::kernels::gemm {

extern const MicroKernels kMicroKernelsPortable;
constinit const MicroKernels kMicroKernelsPortable =
    portable::make_micro_kernels(CpuLevel::kPortable);

}  // namespace pliant::kernels::gemm
