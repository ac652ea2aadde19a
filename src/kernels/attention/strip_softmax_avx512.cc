#include "kernels/attention/strip_softmax.inl.h"

namespace pliant::kernels::attention {

extern const StripKernels kStripKernelsAvx512;
constinit const StripKernels kStripKernelsAvx512{CpuLevel::kAvx512, avx512::softmax_row,
                                                 avx512::scale_row};

}  // namespace pliant::kernels::attention
