#include "kernels/reduce/block_reduction_kernel.inl.h"
