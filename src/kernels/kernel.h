#pragma once

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "base/cpu_features.h"
#include "base/function_ref.h"
#include "threads/parallel_for.h"

namespace pliant::kernels {

// Rules of kernels: they take one argument struct, allocate nothing, know no globals, cannot fail
// (whoever binds them has checked everything), and touch only what their arguments name. A run may be
// stopped: what takes more than a millisecond or so on one index of a loop asks
// ParallelFor::is_stopped(), and a kernel whose next phase goes where the results of the last one
// point asks in between.
//
// Files that are compiled for one CPU level (`*_avx2.cc`, `*_avx512.cc`) use no standard library
// templates and define no inline function outside an unnamed or level namespace: the linker keeps
// one copy of such a function for the whole program, and it might be the one for the newer CPU.

/// What a kernel gets from outside besides its arguments.
struct KernelContext {
  ParallelFor& parallel;
  std::byte* scratch = nullptr;  ///< as many bytes as were asked for when binding; 64-byte aligned
  CpuLevel level = CpuLevel::kPortable;
};

}  // namespace pliant::kernels
