#include "kernels/elementwise/f32_loops_kernel.inl.h"
