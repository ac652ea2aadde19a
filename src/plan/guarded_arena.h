#pragma once

#include <cstddef>
#include <vector>

#include "memory/poison.h"
#include "plan/bound_run.h"

namespace pliant::plan {

/// The arena during one run of a checked build: outside the steps that need it, each block is
/// poisoned, so a kernel that reads what nobody wrote for it reads NaN, and AddressSanitizer reports
/// it. Other builds do nothing here.
class GuardedArena {
 public:
  /// Closes everything. The run must outlive this.
  GuardedArena([[maybe_unused]] std::byte* arena, [[maybe_unused]] const BoundRun& run) {
    if constexpr (memory::kPoisonsMemory) {
      close_all(arena, run);
    }
  }
  GuardedArena(const GuardedArena&) = delete;
  GuardedArena& operator=(const GuardedArena&) = delete;
  ~GuardedArena() {
    if constexpr (memory::kPoisonsMemory) {
      memory::open_block(arena_, bytes_);
    }
  }

  /// The calls of this step come next; steps come in order, the same one any number of times.
  void begin_step([[maybe_unused]] int step) {
    if constexpr (memory::kPoisonsMemory) {
      move_to(step);
    }
  }

 private:
  void close_all(std::byte* arena, const BoundRun& run);
  void move_to(int step);

  // Used by checked builds alone.
  std::byte* arena_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<const Block*> by_first_step_;
  std::vector<const Block*> by_last_step_;
  std::size_t opened_ = 0;  ///< of by_first_step_
  std::size_t closed_ = 0;  ///< of by_last_step_
};

}  // namespace pliant::plan
