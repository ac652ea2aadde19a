#pragma once

#include <cstdint>

#include "kernels/gather/gather.h"
#include "kernels/kernel.h"

namespace pliant::kernels {

/// Slices whose condition is true: their positions are written to the scratch memory (one i64
/// each), then gathered.
struct CompressArguments {
  const bool* condition = nullptr;
  std::int64_t condition_count = 0;
  std::int64_t condition_stride = 1;
  GatherArguments gather;  ///< `indices` null

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(condition);
    gather.each_address(visit);
  }
};

/// Threads: as gather(). Errors: none.
void compress(const CompressArguments& arguments, const KernelContext& context);

}  // namespace pliant::kernels
