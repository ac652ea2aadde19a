#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <pliant/session.h>

#include "arrays.h"
#include "bindings.h"
#include "errors.h"
#include "interruption.h"
#include "options.h"
#include "text.h"

namespace pliant::python {

namespace py = pybind11;

namespace {

/// The feeds of a call as a dictionary that nobody else can change meanwhile.
py::dict own_dict(py::handle feeds) {
  if (PyDict_Check(feeds.ptr())) {
    return py::reinterpret_steal<py::dict>(PyDict_Copy(feeds.ptr()));
  }
  if (py::hasattr(feeds, "keys")) {
    return py::dict(py::reinterpret_borrow<py::object>(feeds));
  }
  throw py::type_error(std::string("feeds must map names of inputs to arrays, this is a ") +
                       Py_TYPE(feeds.ptr())->tp_name);
}

/// The value of work that may be interrupted, and goes on without the GIL: it is given what to ask.
template <class Work>
auto interruptibly(py::handle timeout, Work work) {
  Interruption interruption(timeout);
  auto result = [&] {
    const py::gil_scoped_release no_gil;
    return work(interruption.question());
  }();
  interruption.raise_if_any();
  if constexpr (std::is_same_v<decltype(result), Status>) {
    check(result);
  } else {
    return value_of(std::move(result));
  }
}

/// A session as Python holds it. Whatever may take long goes on without the GIL.
class PythonSession {
 public:
  PythonSession(const Model& model, const SessionOptions& options)
      : session_(std::make_unique<Session>(
            interruptibly(py::none(), [&](std::function<bool()> question) {
              SessionOptions stoppable = options;
              stoppable.should_stop = std::move(question);
              return Session::create(model, stoppable);
            }))) {
    const std::vector<InputInfo>& inputs = session_->model().inputs();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      inputs_.emplace(inputs[i].name, i);
    }
    const std::vector<OutputInfo>& outputs = session_->model().outputs();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      outputs_.emplace(outputs[i].name, i);
    }
  }
  PythonSession(const PythonSession&) = delete;
  PythonSession& operator=(const PythonSession&) = delete;
  /// The compile thread is waited for, and may itself wait for the GIL to tell an event.
  ~PythonSession() {
    const py::gil_scoped_release no_gil;
    session_.reset();
  }

  [[nodiscard]] Session& session() { return *session_; }

  py::list run(py::handle output_names, py::handle feeds, py::handle tier, py::handle timeout) {
    return to_list(run_into(output_names, feeds, {.tier = tier_of(tier)}, timeout), array_over);
  }

  py::list run_tensors(py::handle output_names, py::handle feeds, py::handle tier,
                       py::handle timeout) {
    return to_list(run_into(output_names, feeds, {.tier = tier_of(tier)}, timeout),
                   [](const Tensor& tensor) { return tensor; });
  }

  py::tuple observe(py::handle output_names, py::handle feeds, py::handle tier,
                    py::handle timeout) {
    std::vector<SegmentRun> segments;
    std::string trace;
    const py::list outputs =
        to_list(run_into(output_names, feeds,
                         {.tier = tier_of(tier), .report = &segments, .trace = &trace}, timeout),
                array_over);
    return py::make_tuple(outputs, std::move(segments), to_str(trace));
  }

  py::str explain(py::handle feeds, py::handle tier, py::handle timeout) {
    const FeedTensors given = feed_tensors(feeds);
    RunOptions options{.tier = tier_of(tier)};
    return to_str(interruptibly(timeout, [&](std::function<bool()> question) {
      options.should_stop = std::move(question);
      return session_->explain(given.tensors(), options);
    }));
  }

  void warm_up(py::handle profile) {
    const std::string text = to_bytes(profile, "a profile");
    interruptibly(py::none(), [&](const std::function<bool()>& question) {
      return session_->warm_up(text, question);
    });
  }

  void warm_up_exact(py::handle sizes) {
    const std::vector<NamedSize> named = named_sizes(sizes);
    check([&] {
      const py::gil_scoped_release no_gil;
      return session_->warm_up_exact(named);
    }());
  }

  [[nodiscard]] MemoryEstimate estimate(py::handle sizes) const {
    const std::vector<NamedSize> named = named_sizes(sizes);
    return value_of([&] {
      const py::gil_scoped_release no_gil;
      return session_->estimate(named);
    }());
  }

  /// For tests of what is copied: where the memory lies that a run with these feeds reads.
  py::list input_addresses(py::handle feeds) const {
    const FeedTensors given = feed_tensors(feeds);
    py::list addresses;
    for (const NamedTensor& input : given.tensors()) {
      addresses.append(reinterpret_cast<std::uintptr_t>(input.value.data()));
    }
    return addresses;
  }

  /// For measuring what Python adds: seconds that a run takes in C++ alone, on average.
  double seconds_per_run(py::handle feeds, int count) {
    const FeedTensors given = feed_tensors(feeds);
    const py::gil_scoped_release no_gil;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) {
      if (!session_->run(given.tensors())) {
        return -1;
      }
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / count;
  }

 private:
  static std::vector<NamedSize> named_sizes(py::handle sizes) {
    std::vector<NamedSize> named;
    for (const auto& [name, value] : own_dict(sizes)) {
      named.push_back({to_bytes(name, "the name of a size"), value.cast<std::int64_t>()});
    }
    return named;
  }

  [[nodiscard]] FeedTensors feed_tensors(py::handle feeds) const {
    FeedTensors tensors;
    const py::dict given = own_dict(feeds);
    for (const auto& [key, value] : given) {
      std::string name = to_bytes(key, "the name of an input");
      const auto found = inputs_.find(name);
      if (found == inputs_.end()) {
        tensors.add_unknown(std::move(name));
      } else {
        tensors.add(session_->model().inputs()[found->second], value);
      }
    }
    return tensors;
  }

  /// Positions of the outputs that are asked for: all for None or an empty list.
  [[nodiscard]] std::vector<std::size_t> positions(py::handle output_names) const {
    std::vector<std::size_t> wanted;
    if (!output_names.is_none()) {
      if (PyUnicode_Check(output_names.ptr())) {
        throw py::type_error("output_names must be a list of names or None, this is one str");
      }
      for (const py::handle name : output_names) {
        const std::string text = to_bytes(name, "the name of an output");
        const auto found = outputs_.find(text);
        if (found == outputs_.end()) {
          raise(
              {ErrorCode::kInvalidArgument, "unknown output '" + text + "'; " + all_outputs(), {}});
        }
        wanted.push_back(found->second);
      }
    }
    return wanted;
  }

  [[nodiscard]] std::string all_outputs() const {
    std::string text = "the model's outputs are ";
    const char* separator = "";
    for (const OutputInfo& output : session_->model().outputs()) {
      text += separator + output.name;
      separator = ", ";
    }
    return text;
  }

  std::vector<Tensor> run_into(py::handle output_names, py::handle feeds, RunOptions options,
                               py::handle timeout) {
    const std::vector<std::size_t> wanted = positions(output_names);
    const FeedTensors given = feed_tensors(feeds);
    std::vector<Tensor> outputs = interruptibly(timeout, [&](std::function<bool()> question) {
      options.should_stop = std::move(question);
      return session_->run(given.tensors(), options);
    });
    if (wanted.empty()) {
      return outputs;
    }
    std::vector<Tensor> chosen;
    chosen.reserve(wanted.size());
    for (const std::size_t position : wanted) {
      chosen.push_back(outputs[position]);
    }
    return chosen;
  }

  template <class Convert>
  static py::list to_list(const std::vector<Tensor>& tensors, Convert convert) {
    py::list list(tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      list[i] = convert(tensors[i]);
    }
    return list;
  }

  std::unique_ptr<Session> session_;
  std::unordered_map<std::string, std::size_t> inputs_;
  std::unordered_map<std::string, std::size_t> outputs_;
};

}  // namespace

void bind_session(py::module_& module) {
  const auto feeds = py::arg("feeds");
  const auto output_names = py::arg("output_names");
  const py::arg_v tier = py::arg("tier") = py::none();
  const py::arg_v timeout = py::arg("timeout") = py::none();
  py::class_<PythonSession>(module, "Session", "What InferenceSession is made of.")
      .def(py::init<const Model&, const SessionOptions&>(), py::arg("model"), py::arg("options"))
      .def("run", &PythonSession::run, output_names, feeds, py::kw_only(), tier, timeout,
           "Runs the model: feeds map names of inputs to arrays; the outputs asked for (None: all) "
           "come as NumPy arrays, in that order. A run that takes longer than `timeout` seconds "
           "ends "
           "with CancelledError.")
      .def("run_tensors", &PythonSession::run_tensors, output_names, feeds, py::kw_only(), tier,
           timeout,
           "The same; outputs come as pliant.Tensor, for DLPack and for feeding them again.")
      .def("observe", &PythonSession::observe, output_names, feeds, py::kw_only(), tier, timeout)
      .def("explain_text", &PythonSession::explain, feeds, py::kw_only(), tier, timeout)
      .def("warm_up_text", &PythonSession::warm_up, py::arg("profile"))
      .def("warm_up_exact", &PythonSession::warm_up_exact, py::arg("sizes"),
           "Compiles a plan for exactly these sizes, also in a sealed session: every size that the "
           "model depends on, and values of inputs that decide, by name.")
      .def("estimate", &PythonSession::estimate, py::arg("sizes"),
           "The memory that a run at these sizes takes: every size that the model depends on, and "
           "values of inputs that decide (\"target[0]\"), by name. Nothing is run.")
      .def(
          "profile", [](PythonSession& self) { return to_str(self.session().profile()); },
          "The traffic so far as JSON; empty of signatures without PlanOptions.record.")
      .def(
          "stats", [](PythonSession& self) { return self.session().statistics(); },
          "SessionStatistics: memory, and what has become of runs and plans.")
      .def(
          "finish_compiling", [](PythonSession& self) { self.session().finish_compiling(); },
          py::call_guard<py::gil_scoped_release>(),
          "Waits until nothing is left to compile in the background.")
      .def(
          "trim", [](PythonSession& self) { return self.session().trim(); },
          py::call_guard<py::gil_scoped_release>(),
          "Gives free memory back to the system; returns how many bytes.")
      .def("_input_addresses", &PythonSession::input_addresses, feeds)
      .def("_seconds_per_run", &PythonSession::seconds_per_run, feeds, py::arg("count"))
      .def_property_readonly(
          "model", [](PythonSession& self) { return self.session().model(); }, "Model");
}

}  // namespace pliant::python
