#include "kernels/attention/strip_softmax.inl.h"

namespace pliant::kernels::attention {

extern const StripKernels kStripKernelsAvx2;
constinit const StripKernels kStripKernelsAvx2{CpuLevel::kAvx2, avx2::softmax_row, avx2::scale_row};

}  // namespace pliant::kernels::attention
