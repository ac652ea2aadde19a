#pragma once

#include <cstdint>
#include <memory>

#include "threads/parallel_for.h"

namespace pliant::threads {

/// Threads that a run may use by default: PLIANT_THREADS if it is a number in 1..256, else the
/// physical cores in the process's affinity mask, at most the container's CPU quota (cgroup v1 and
/// v2, rounded up), at least 1.
[[nodiscard]] int default_thread_count();

/// A way to run loops on the process-wide pool with at most `thread_count` threads (>= 1), the
/// caller included. Workers are started when first needed, shared by all, pinned only inside the
/// allowed mask; they spin for a bounded time and then sleep, so an idle process uses no CPU.
///
/// The returned object is stateless apart from the limit: any number of threads may use it at once.
[[nodiscard]] std::unique_ptr<ParallelFor> parallel_for_on_pool(int thread_count);

}  // namespace pliant::threads
