#include "event_callback.h"

#include <atomic>

namespace pliant::python {

namespace py = pybind11;

namespace {

std::atomic<bool> python_ends{false};

}  // namespace

EventCallback::EventCallback(py::object function)
    : function_(new py::object(std::move(function)), [](const py::object* kept) {
        if (python_ends) {
          return;  // leaked, as all that is left then
        }
        const py::gil_scoped_acquire gil;
        delete kept;
      }) {}

void EventCallback::operator()(const LogEvent& event) const {
  if (python_ends) {
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
  py::module_::import("atexit").attr("register")(py::cpp_function([] { python_ends = true; }));
}

}  // namespace pliant::python
