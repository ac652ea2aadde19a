#include "session/run_options.h"

#include "base/result.h"
#include "threads/thread_pool.h"

namespace pliant::session {

Result<CpuLevel> cpu_level_of(const SessionOptions& options) {
  if (options.cpu_level.empty()) {
    return detected_cpu_level();
  }
  const auto level = cpu_level_from_name(options.cpu_level);
  if (!level) {
    return make_error(ErrorCode::kInvalidArgument,
                      "unknown CPU level, expected portable, avx2 or avx512: {}",
                      options.cpu_level);
  }
  if (*level > detected_cpu_level()) {
    return make_error(ErrorCode::kUnsupported, "this CPU has {}, not the level asked for: {}",
                      name(detected_cpu_level()), options.cpu_level);
  }
  return *level;
}

Result<int> thread_count_of(const SessionOptions& options) {
  using threads::kMaxThreads;
  if (options.threads < 0 || options.threads > kMaxThreads) {
    return make_error(ErrorCode::kInvalidArgument, "threads must be in 0..{}: {}", kMaxThreads,
                      options.threads);
  }
  return options.threads == 0 ? threads::default_thread_count() : options.threads;
}

}  // namespace pliant::session
