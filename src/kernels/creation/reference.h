#pragma once

#include "kernels/creation/creation.h"

namespace pliant::kernels {

/// What the kernels of kernels.inc do, one element at a time in one thread.
void run_reference(const StoreNumbersArguments& arguments);
void run_reference(const FillArguments& arguments);
void run_reference(const RangeArguments& arguments);
void run_reference(const OneHotArguments& arguments);

}  // namespace pliant::kernels
