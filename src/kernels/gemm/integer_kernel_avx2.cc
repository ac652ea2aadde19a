#include "kernels/gemm/integer_kernel.inl.h"

namespace pliant::kernels::gemm {

extern const IntegerKernels kIntegerKernelsAvx2;
constinit const IntegerKernels kIntegerKernelsAvx2{CpuLevel::kAvx2, avx2::kIntegerColumns,
                                                   avx2::integer_tile};

}  // namespace pliant::kernels::gemm
