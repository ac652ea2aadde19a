#include "event_callback.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace pliant::python {

namespace py = pybind11;

namespace {

std::atomic<bool> python_ends{false};
std::atomic<int> visits{0};

/// A thread that has the GIL, or waits for it, on behalf of events. Counted first and asked then: either
/// it sees that Python ends, or the end sees it.
class Visit {
 public:
  Visit() { ++visits; }
  ~Visit() { --visits; }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  [[nodiscard]] bool is_welcome() const { return !python_ends; }
};

/// Python ends a thread that still waits for the GIL by unwinding it, which aborts the process where
/// C++ is in the way. So those that are under way may finish; not for ever, since a function may wait for
/// what never comes.
void end_visits() {
  python_ends = true;
  const py::gil_scoped_release release;
  for (int waits = 0; visits > 0 && waits < 2000; ++waits) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

EventCallback::EventCallback(py::object function)
    : function_(new py::object(std::move(function)), [](const py::object* kept) {
        const Visit visit;
        if (!visit.is_welcome()) {
          return;  // leaked, as all that is left then
        }
        const py::gil_scoped_acquire gil;
        delete kept;
      }) {}

void EventCallback::operator()(const LogEvent& event) const {
  const Visit visit;
  if (!visit.is_welcome()) {
    return;
  }
  const py::gil_scoped_acquire gil;
  try {
    (*function_)(event);
  } catch (py::error_already_set& error) {
    error.discard_as_unraisable("the log of a pliant session");
  }
}

void silence_events_at_exit() {
  py::module_::import("atexit").attr("register")(py::cpp_function(&end_visits));
}

}  // namespace pliant::python
