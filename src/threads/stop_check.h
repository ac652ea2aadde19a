#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>

#include <pliant/result.h>

namespace pliant {

/// Whether work under way is still wanted. The thread that made this owns it and asks the caller's
/// function from time to time; all threads see the answer, which is final once it is "stop".
///
/// Work that is stopped leaves anything behind in its results: whoever started it throws them away,
/// and nobody may take them for indices meanwhile.
class StopCheck {
 public:
  /// `should_stop` outlives this and is called by this thread only. It is not called before 20 ms or
  /// so have passed: shorter work is not worth a question.
  explicit StopCheck(const std::function<bool()>& should_stop);
  StopCheck(const StopCheck&) = delete;
  StopCheck& operator=(const StopCheck&) = delete;

  /// True once the work is to end. Takes some nanoseconds; to be called about once per millisecond of
  /// work or more often.
  [[nodiscard]] bool ask();

 private:
  bool ask_caller();

  const std::function<bool()>& should_stop_;
  const std::thread::id owner_ = std::this_thread::get_id();
  std::uint64_t asked_;  ///< when, by the processor's counter; the owner's
  // Relaxed: it orders nothing, since nobody reads what stopped work leaves behind.
  std::atomic<bool> stopped_{false};
};

/// What a caller is told whose work was stopped; who knows the place adds it.
[[nodiscard]] Error stopped();

}  // namespace pliant
