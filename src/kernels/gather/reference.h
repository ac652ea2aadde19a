#pragma once

#include "kernels/gather/gather.h"
#include "kernels/gather/scatter.h"

namespace pliant::kernels {

/// What gather() does, one element at a time; the indices are not in scratch memory.
void run_reference(const GatherArguments& arguments);

/// What scatter() does with elements of a type that are updated by a rule: one update at a time, in
/// the type that docs/numerics.md names, rounded at the end. Does not use `arguments.functions`.
void run_reference(const ScatterArguments& arguments, DType dtype, UpdateRule rule);

}  // namespace pliant::kernels
