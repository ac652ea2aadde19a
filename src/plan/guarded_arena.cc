#include "plan/guarded_arena.h"

#include <algorithm>

namespace pliant::plan {

void GuardedArena::close_all(std::byte* arena, const BoundRun& run) {
  arena_ = arena;
  bytes_ = run.arena_bytes;
  for (const Block& block : run.blocks) {
    if (block.bytes > 0) {
      by_first_step_.push_back(&block);
    }
  }
  by_last_step_ = by_first_step_;
  std::ranges::sort(by_first_step_, {}, &Block::first_step);
  std::ranges::sort(by_last_step_, {}, &Block::last_step);
  if (bytes_ > 0) {
    memory::poison_block(arena_, bytes_);
  }
}

void GuardedArena::move_to(int step) {
  // What ends comes first: its bytes may be needed by what begins.
  for (; closed_ < by_last_step_.size() && by_last_step_[closed_]->last_step < step; ++closed_) {
    const Block& block = *by_last_step_[closed_];
    memory::poison_block(arena_ + block.offset, block.bytes);
  }
  for (; opened_ < by_first_step_.size() && by_first_step_[opened_]->first_step <= step;
       ++opened_) {
    const Block& block = *by_first_step_[opened_];
    if (block.last_step >= step) {  // or it belonged to a step that makes no calls
      memory::open_block(arena_ + block.offset, block.bytes);
    }
  }
}

}  // namespace pliant::plan
