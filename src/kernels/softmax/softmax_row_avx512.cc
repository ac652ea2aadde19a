#include "kernels/softmax/softmax_row_kernel.inl.h"
