#pragma once

#include "kernels/selection/compress.h"
#include "kernels/selection/non_max_suppression.h"
#include "kernels/selection/non_zero.h"
#include "kernels/selection/top_k.h"

namespace pliant::kernels {

/// What the kernels of kernels.inc do, in one thread and without their scratch memory.
void run_reference(const CompressArguments& arguments);
void run_reference(const NonZeroArguments& arguments);
void run_reference(const TopKArguments& arguments);
void run_reference(const NonMaxSuppressionArguments& arguments);

}  // namespace pliant::kernels
