#pragma once

#include <functional>
#include <mutex>

#include <pliant/session.h>

namespace pliant::session {

/// Hands events to the listener of a session, one at a time.
class EventLog {
 public:
  explicit EventLog(std::function<void(const LogEvent&)> listener)
      : listener_(std::move(listener)) {}

  /// Calls `make` for the event only if somebody listens.
  template <class Make>
  void write(Make&& make) {
    if (listener_) {
      const std::lock_guard lock(mutex_);
      listener_(make());
    }
  }

 private:
  std::function<void(const LogEvent&)> listener_;
  std::mutex mutex_;  // held while the listener runs
};

}  // namespace pliant::session
