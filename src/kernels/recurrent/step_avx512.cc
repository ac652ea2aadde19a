#include "kernels/recurrent/step_kernel.inl.h"
