#include "kernels/convolution/depthwise_kernel.inl.h"
