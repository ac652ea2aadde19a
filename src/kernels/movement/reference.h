#pragma once

#include "kernels/movement/concat.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/pad.h"
#include "kernels/movement/tile.h"
#include "kernels/movement/triangular.h"

namespace pliant::kernels {

/// What the kernels of kernels.inc do, one element of the target at a time, in one thread.
void run_reference(const CopyArguments& arguments);
void run_reference(const ConcatFewArguments& arguments);
void run_reference(const ConcatManyArguments& arguments);
void run_reference(const PadArguments& arguments);
void run_reference(const TileArguments& arguments);
void run_reference(const TriangularArguments& arguments);

}  // namespace pliant::kernels
