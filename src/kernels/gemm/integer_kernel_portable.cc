#include "kernels/gemm/integer_kernel.inl.h"

namespace pliant::kernels::gemm {

extern const IntegerKernels kIntegerKernelsPortable;
constinit const IntegerKernels kIntegerKernelsPortable{
    CpuLevel::kPortable, portable::kIntegerColumns, portable::integer_tile};

}  // namespace pliant::kernels::gemm
