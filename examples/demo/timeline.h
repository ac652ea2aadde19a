#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include <pliant/session.h>

namespace demo {

/// What happened to plans while requests were served: who executed each request, and the events that
/// the session told. Thread-safe: events come from any thread.
class Timeline {
 public:
  /// For SessionOptions::log.
  void note_event(const pliant::LogEvent& event);
  /// A request was served; `report` says by what.
  void note_request(const std::vector<pliant::SegmentRun>& report);

  /// One character per request (which tier), and a line per event about plans.
  void print() const;

 private:
  struct Event {
    std::size_t request;  ///< how many had been served
    std::string text;
  };
  mutable std::mutex mutex_;
  std::string marks_;          // guarded by mutex_
  std::vector<Event> events_;  // guarded by mutex_
};

}  // namespace demo
