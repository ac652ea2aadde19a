#include "kernels/normalise/normalise_row_kernel.inl.h"
