#include <pybind11/pybind11.h>

#include <pliant/session.h>

#include "bindings.h"
#include "errors.h"
#include "event_callback.h"
#include "interruption.h"

PYBIND11_MODULE(_core, module) {
  using namespace pliant::python;
  module.doc() = "The C++ side of pliant.";
  module.attr("__version__") = pliant::version();
  bind_errors(module);
  bind_tensor(module);
  bind_options(module);
  bind_statistics(module);
  bind_model(module);
  bind_session(module);
  find_main_thread();
  silence_events_at_exit();
}
