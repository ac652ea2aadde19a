#pragma once

#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace pliant::session {

/// The compiles of a session that came last, for traces of runs. Thread-safe.
class CompileHistory {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Compile {
    std::string what;     ///< "segment 0, box seq 17..32"
    std::string outcome;  ///< "published" and so on
    Time begin;
    Time end;
    std::thread::id thread;
  };

  /// A compile by this thread has ended now.
  void note(std::string what, std::string outcome, Time begin);
  /// Those that ended at this time or later, the oldest first.
  [[nodiscard]] std::vector<Compile> ended_since(Time time) const;

 private:
  static constexpr std::size_t kMost = 256;

  mutable std::mutex mutex_;
  std::deque<Compile> compiles_;  // guarded by mutex_
};

}  // namespace pliant::session
