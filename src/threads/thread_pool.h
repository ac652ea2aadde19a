#pragma once

#include <memory>

#include "threads/parallel_for.h"

namespace pliant::threads {

/// The most threads that one loop can use.
inline constexpr int kMaxThreads = 256;

/// Threads that a run may use by default: PLIANT_THREADS if it is a number in 1..kMaxThreads, else
/// the physical cores in the process's affinity mask, at most the container's CPU quota (rounded
/// up), at least 1. Asked anew at every call.
[[nodiscard]] int default_thread_count();

/// A way to run loops on the process-wide pool with at most `thread_count` threads, the caller
/// included (1..kMaxThreads). Workers are started when first needed and shared by all; they run
/// inside the process's affinity mask, look for work for a bounded time after each loop and then
/// sleep, so an idle process uses no CPU. A child process after fork() starts workers of its own.
///
/// The returned object holds only the limit: any number of threads may use it at once, and loops
/// of several callers share the workers.
///
/// With `stop`, which outlives it, loops can be stopped. Then it belongs to the thread that owns
/// `stop`: nobody else starts loops with it.
[[nodiscard]] std::unique_ptr<ParallelFor> parallel_for_on_pool(int thread_count,
                                                                StopCheck* stop = nullptr);

}  // namespace pliant::threads
