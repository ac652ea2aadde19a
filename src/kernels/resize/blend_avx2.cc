#include "kernels/resize/blend_kernel.inl.h"
