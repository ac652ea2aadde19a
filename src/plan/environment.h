#pragma once

#include "base/cpu_features.h"
#include "bind/packed_constants.h"
#include "memory/pool.h"
#include "threads/parallel_for.h"

namespace pliant::plan {

/// What all runs of all plans of a program share.
struct Environment {
  memory::Pool& pool;
  ParallelFor& parallel;
  CpuLevel level = CpuLevel::kPortable;
  bind::PackedConstants* packed = nullptr;  ///< null: no packed forms are kept
};

}  // namespace pliant::plan
