#include "kernels/attention/strip_softmax.inl.h"

namespace pliant::kernels::attention {

extern const StripKernels kStripKernelsPortable;
constinit const StripKernels kStripKernelsPortable{CpuLevel::kPortable, portable::softmax_row,
                                                   portable::scale_row};

}  // namespace pliant::kernels::attention
