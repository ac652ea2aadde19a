#include "kernels/gemm/micro_kernels.inl.h"

namespace pliant::kernels::gemm {

extern const MicroKernels kMicroKernelsAvx2;
constinit const MicroKernels kMicroKernelsAvx2 = avx2::make_micro_kernels(CpuLevel::kAvx2);

}  // namespace pliant::kernels::gemm
