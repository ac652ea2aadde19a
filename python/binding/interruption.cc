#include "interruption.h"

#include <algorithm>
#include <atomic>

namespace pliant::python {

namespace py = pybind11;

using Clock = std::chrono::steady_clock;

namespace {

std::atomic<unsigned long> main_thread{0};

bool is_main_thread() {
  return PyThread_get_thread_ident() == main_thread.load(std::memory_order_relaxed);
}

std::optional<Clock::time_point> end_of(py::handle timeout) {
  if (timeout.is_none()) {
    return std::nullopt;
  }
  const double seconds = timeout.cast<double>();
  if (!(seconds >= 0)) {
    throw py::value_error("a timeout is a number of seconds from 0 on, or None");
  }
  constexpr double kForever = 1e9;  // what a clock can count
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::min(seconds, kForever)));
}

}  // namespace

Interruption::Interruption(py::handle timeout)
    : end_(end_of(timeout)), hears_signals_(is_main_thread()) {}

std::function<bool()> Interruption::question() {
  if (!end_ && !hears_signals_) {
    return nullptr;
  }
  return [this] { return asked(); };
}

bool Interruption::asked() {
  if (hears_signals_) {
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) {
      raised_ = std::make_exception_ptr(py::error_already_set());
      return true;
    }
  }
  return end_ && Clock::now() >= *end_;
}

void Interruption::raise_if_any() const {
  if (raised_ != nullptr) {
    std::rethrow_exception(raised_);
  }
}

void find_main_thread() {
  main_thread =
      py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
  py::module_::import("os").attr("register_at_fork")(
      py::arg("after_in_child") =
          py::cpp_function([] { main_thread = PyThread_get_thread_ident(); }));
}

}  // namespace pliant::python
