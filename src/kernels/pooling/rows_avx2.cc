#include "kernels/pooling/rows_kernel.inl.h"
