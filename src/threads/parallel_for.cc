#include "threads/parallel_for.h"

#include "threads/stop_check.h"

namespace pliant {

bool ParallelFor::stop_asked() const {
  return stop_->ask();
}

}  // namespace pliant
