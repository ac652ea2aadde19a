#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include <pliant/session.h>

namespace pliant::python {

/// Hands events to a Python function. Events come from any thread, so each call takes the GIL; what
/// the function raises is printed as "unraisable" and goes no further. Silent once Python ends.
class EventCallback {
 public:
  explicit EventCallback(pybind11::object function);
  void operator()(const LogEvent& event) const;
  [[nodiscard]] const pybind11::object& function() const { return *function_; }

 private:
  // Sessions copy and destroy their options without the GIL.
  std::shared_ptr<const pybind11::object> function_;
};

/// Makes callbacks silent when Python begins to end, and lets those that are under way finish, for two
/// seconds at most: a thread that waits for the GIL later never comes back.
void silence_events_at_exit();

}  // namespace pliant::python
