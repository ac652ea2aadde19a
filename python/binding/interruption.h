#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <functional>
#include <optional>

namespace pliant::python {

/// What ends work early: a signal whose handler raises (Ctrl-C), in Python's main thread, or time that
/// is up. Made and used by the thread that works, which lets go of the GIL meanwhile.
class Interruption {
 public:
  /// `timeout` in seconds; None: any time it takes. Raises ValueError for a negative one.
  explicit Interruption(pybind11::handle timeout = pybind11::none());
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// For RunOptions::should_stop; empty where nothing can end the work. This has to outlive it.
  [[nodiscard]] std::function<bool()> question();
  /// Raises what a handler raised, if one did. Needs the GIL, as all but the question.
  void raise_if_any() const;

 private:
  bool asked();

  std::optional<std::chrono::steady_clock::time_point> end_;
  bool hears_signals_;
  std::exception_ptr raised_;
};

/// Finds Python's main thread, which alone runs handlers of signals, now and after each fork.
void find_main_thread();

}  // namespace pliant::python
