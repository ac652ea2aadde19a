#include "kernels/gemm/integer_kernel.inl.h"

namespace pliant::kernels::gemm {

extern const IntegerKernels kIntegerKernelsAvx512;
constinit const IntegerKernels kIntegerKernelsAvx512{CpuLevel::kAvx512, avx512::kIntegerColumns,
                                                     avx512::integer_tile};

}  // namespace pliant::kernels::gemm
