#include "kernels/gemm/micro_kernels.inl.h"

namespace pliant::kernels::gemm {

extern const MicroKernels kMicroKernelsAvx512;
constinit const MicroKernels kMicroKernelsAvx512 = avx512::make_micro_kernels(CpuLevel::kAvx512);

}  // namespace pliant::kernels::gemm
