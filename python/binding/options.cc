#include "options.h"

#include <pybind11/chrono.h>

#include <array>
#include <string>

#include "bindings.h"
#include "errors.h"
#include "event_callback.h"
#include "record.h"

namespace pliant::python {

namespace py = pybind11;

namespace {

template <class Value>
struct Word {
  const char* word;
  Value value;
};
constexpr std::array kTierWords = {
    Word{"auto", Tier::kAuto},   Word{"interpreter", Tier::kInterpreter},
    Word{"any", Tier::kAny},     Word{"bucketed", Tier::kBucketed},
    Word{"exact", Tier::kExact},
};
constexpr std::array kFloorWords = {
    Word{"plan", Floor::kPlan},
    Word{"interpreter", Floor::kInterpreter},
};
constexpr std::array kCompilingWords = {
    Word{"background", Compiling::kBackground},
    Word{"sync", Compiling::kSync},
    Word{"sealed", Compiling::kSealed},
};

template <class Words>
auto value_of_word(const Words& words, const char* option, py::handle given) {
  const std::string text = to_bytes(given, option);
  std::string expected;
  for (const auto& each : words) {
    if (text == each.word) {
      return each.value;
    }
    expected += (expected.empty() ? "" : ", ") + std::string(each.word);
  }
  raise({ErrorCode::kInvalidArgument,
         "unknown " + std::string(option) + ", expected " + expected + ": " + text,
         {}});
}

/// An option whose value is one of a few words.
template <class T, class Value, class Words>
void add_choice(Record<T>& record, const char* name, Value T::*member, const Words& words,
                const char* doc) {
  record.option(
      name,
      [member, &words](const T& self) {
        for (const auto& each : words) {
          if (self.*member == each.value) {
            return each.word;
          }
        }
        return "";
      },
      [member, &words, name](T& self, py::handle given) {
        self.*member = value_of_word(words, name, given);
      },
      doc);
}

template <class T>
void add_path(Record<T>& record, const char* name, std::string T::*member, const char* doc) {
  record.option(
      name, [member](const T& self) { return to_str(self.*member); },
      [member](T& self, py::handle path) { self.*member = to_path(path); }, doc);
}

/// All fields as keywords of the constructor.
template <class T>
void add_constructor(Record<T>& record) {
  record.python_class().def(py::init([](const py::kwargs& values) {
    T options;
    const py::object view = py::cast(&options, py::return_value_policy::reference);
    const py::object fields = py::type::of(view).attr("_fields");
    for (const auto& [name, value] : values) {
      if (!fields.contains(name)) {
        throw py::type_error("there is no option '" + to_bytes(name, "an option") +
                             "'; options are " +
                             py::str(", ").attr("join")(fields).template cast<std::string>());
      }
      py::setattr(view, name, value);
    }
    return options;
  }));
}

py::object log_of(const SessionOptions& options) {
  const auto* const callback = options.log.target<EventCallback>();
  return callback == nullptr ? py::none() : callback->function();
}

void set_log(SessionOptions& options, const py::object& function) {
  if (function.is_none()) {
    options.log = nullptr;
  } else if (PyCallable_Check(function.ptr()) == 0) {
    throw py::type_error("log must be a function or None");
  } else {
    options.log = EventCallback(function);
  }
}

const char* level_name(const LogEvent& event) {
  switch (event.level) {
    case LogEvent::Level::kError:
      return "error";
    case LogEvent::Level::kWarning:
      return "warning";
    case LogEvent::Level::kInfo:
      return "info";
    case LogEvent::Level::kTrace:
      return "trace";
  }
  return "";
}

void bind_log_event(py::module_& module) {
  Record<LogEvent> record(module, "LogEvent", "Something worth telling, for SessionOptions.log.");
  record.computed("level", &level_name, "error, warning, info or trace")
      .computed(
          "kind", [](const LogEvent& event) { return to_str(event.kind); },
          "load, run, compile, evict, breaker, quarantine, warm-up, …")
      .computed(
          "fields",
          [](const LogEvent& event) {
            py::dict fields;
            for (const auto& [name, value] : event.fields) {
              fields[to_str(name)] = to_str(value);
            }
            return fields;
          },
          "names and values, in the order they matter");
  record.finish();
}

void bind_plan_options(py::module_& module) {
  Record<PlanOptions> record(
      module, "PlanOptions",
      "Which plans exist and when they are compiled. The defaults suit most; "
      "docs/plans.md says what each option does and when to touch it. Ranges "
      "are checked when a session is made.");
  add_choice(record, "tier", &PlanOptions::tier, kTierWords,
             "auto, interpreter, any, bucketed or exact; anything but auto is for tests");
  add_choice(record, "floor", &PlanOptions::floor, kFloorWords, "plan or interpreter");
  add_choice(record, "compiling", &PlanOptions::compiling, kCompilingWords,
             "background, sync or sealed");
  record
      .option("rounding_fusions", &PlanOptions::rounding_fusions,
              "whether fusions may round differently from their parts")
      .option("min_compile_iters", &PlanOptions::min_compile_iters,
              "runs in one bucket until it is compiled, 1..1,000,000")
      .option("half_life_runs", &PlanOptions::half_life_runs,
              "runs after which a count has halved, 1..1,000,000")
      .option("bucket_width", &PlanOptions::bucket_width, "extents that share a plan, 1..65,536")
      .option("max_counted_boxes", &PlanOptions::max_counted_boxes,
              "boxes whose runs are counted, 2..1,048,576")
      .option("max_plans", &PlanOptions::max_plans,
              "plans kept per segment beside the floor, 1..65,536")
      .option("max_plan_bytes", &PlanOptions::max_plan_bytes, "bytes of all plans, 1 and up")
      .option("breaker_new_boxes", &PlanOptions::breaker_new_boxes,
              "new hot boxes within the window, 0..65,536; 0: compiling never stops")
      .option("breaker_window", &PlanOptions::breaker_window,
              "timedelta or seconds, 1 ms..24 h; milliseconds are kept")
      .option("breaker_calm_period", &PlanOptions::breaker_calm_period,
              "timedelta or seconds, 0..24 h; milliseconds are kept")
      .option("record", &PlanOptions::record, "counts signatures for InferenceSession.profile()")
      .option("max_profile_signatures", &PlanOptions::max_profile_signatures,
              "distinct signatures in a profile, 1..65,536");
  add_path(record, "warm_up_profile", &PlanOptions::warm_up_profile,
           "file of a profile that is compiled while loading; empty: none");
  record.option("warm_up_boxes", &PlanOptions::warm_up_boxes,
                "boxes of a profile that are compiled at most, 0..65,536");
  record.option("self_check", &PlanOptions::self_check,
                "runs each new plan beside the interpreter before it is used");
  add_path(record, "reproducer_folder", &PlanOptions::reproducer_folder,
           "existing folder for what the self-check finds; empty: none");
  add_constructor(record);
  record.finish();
}

void bind_session_options(py::module_& module) {
  Record<SessionOptions> record(module, "SessionOptions", "How a session runs.");
  record
      .option("max_bytes", &SessionOptions::max_bytes,
              "bytes that tensors of runs may hold at any moment; 0: what the machine or the "
              "container has")
      .option("threads", &SessionOptions::threads,
              "threads of one run, 0..256; 0: PLIANT_THREADS, else the cores the process may use")
      .option(
          "cpu_level", [](const SessionOptions& options) { return to_str(options.cpu_level); },
          [](SessionOptions& options, py::handle level) {
            options.cpu_level = to_bytes(level, "cpu_level");
          },
          "best CPU level: '' (what the CPU has), portable, avx2 or avx512")
      .option("plans", &SessionOptions::plans, "PlanOptions")
      .option("log", &log_of, &set_log,
              "function that takes a LogEvent, from any thread, one at a time; None: no events");
  add_constructor(record);
  record.finish();
}

}  // namespace

std::optional<Tier> tier_of(py::handle name) {
  if (name.is_none()) {
    return std::nullopt;
  }
  return value_of_word(kTierWords, "tier", name);
}

void bind_options(py::module_& module) {
  bind_log_event(module);
  bind_plan_options(module);
  bind_session_options(module);
}

}  // namespace pliant::python
