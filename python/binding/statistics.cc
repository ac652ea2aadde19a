#include <pliant/session.h>

#include "bindings.h"
#include "record.h"

namespace pliant::python {

namespace py = pybind11;

namespace {

/// A field of text, which may hold names of models.
template <class T>
auto text_of(std::string T::*member) {
  return [member](const T& self) { return to_str(self.*member); };
}

template <class T>
auto tier_word_of(Tier T::*member) {
  return [member](const T& self) { return tier_name(self.*member); };
}

void bind_plan_counters(py::module_& module) {
  Record<PlanCounters> record(module, "PlanCounters",
                              "What has become of runs and plans since the session began. A run "
                              "here is one execution of one segment.");
  record.field("plans", &PlanCounters::plans, "plans held now, floors left out")
      .field("plan_bytes", &PlanCounters::plan_bytes, "their bytes")
      .field("floor_plans", &PlanCounters::floor_plans, "plans for any size")
      .field("floor_bytes", &PlanCounters::floor_bytes, "their bytes")
      .field("counted_boxes", &PlanCounters::counted_boxes, "boxes whose runs are being counted")
      .field("exact_runs", &PlanCounters::exact_runs, "runs by an exact plan")
      .field("bucketed_runs", &PlanCounters::bucketed_runs, "runs by a bucketed plan")
      .field("any_runs", &PlanCounters::any_runs, "runs by the plan for any size")
      .field("interpreted_runs", &PlanCounters::interpreted_runs, "runs by the interpreter")
      .field("misses", &PlanCounters::misses, "no plan covered the sizes")
      .field("bound_runs", &PlanCounters::bound_runs, "sizes that were new to a plan")
      .computed(
          "declines",
          [](const PlanCounters& self) {
            py::dict declines;
            for (const auto& [reason, count] : self.declines) {
              declines[to_str(reason)] = count;
            }
            return declines;
          },
          "runs that a plan gave up, by reason")
      .field("compiles", &PlanCounters::compiles, "plans that came out of the compiler")
      .field("no_gain", &PlanCounters::no_gain, "of them, dropped: they do what the floor does")
      .field("failures", &PlanCounters::failures, "nothing came out")
      .field("quarantined", &PlanCounters::quarantined, "answered differently; never used")
      .field("unchecked", &PlanCounters::unchecked, "published although none could be checked")
      .field("skipped_checks", &PlanCounters::skipped_checks, "points that were not checked")
      .field("evictions", &PlanCounters::evictions, "plans that had to go")
      .field("compile_seconds", &PlanCounters::compile_seconds, "time spent compiling")
      .field("check_seconds", &PlanCounters::check_seconds, "time spent in self-checks")
      .field("breaker_openings", &PlanCounters::breaker_openings, "times that compiling stopped");
  record.finish();
}

void bind_segments(py::module_& module) {
  Record<PlanInfo> plan(module, "PlanInfo", "A plan that a segment has.");
  plan.computed("tier", tier_word_of(&PlanInfo::tier), "any, bucketed or exact")
      .computed("box", text_of(&PlanInfo::box), "the sizes it is for")
      .field("is_floor", &PlanInfo::is_floor, "whether it is the plan for any size")
      .field("bytes", &PlanInfo::bytes, "of the plan itself");
  plan.finish();

  Record<SegmentStatistics> segment(module, "SegmentStatistics",
                                    "A stretch of the program that plans execute.");
  segment.computed("name", text_of(&SegmentStatistics::name), "as profiles call it")
      .field("first", &SegmentStatistics::first, "its first instruction")
      .field("end", &SegmentStatistics::end, "the instruction behind its last one")
      .computed(
          "entries",
          [](const SegmentStatistics& self) {
            py::list names;
            for (const std::string& name : self.entries) {
              names.append(to_str(name));
            }
            return names;
          },
          "names of the sizes that it depends on")
      .computed("end_reason", text_of(&SegmentStatistics::end_reason), "why it ends there")
      .field("plans", &SegmentStatistics::plans, "the preferred first")
      .computed("breaker", text_of(&SegmentStatistics::breaker), "closed, open or half-open")
      .field("counters", &SegmentStatistics::counters, "of this segment");
  segment.finish();
}

void bind_plan_statistics(py::module_& module) {
  Record<PlanStatistics> record(module, "PlanStatistics", "The state of all plans.");
  record.field("total", &PlanStatistics::total, "counters of all segments")
      .field("segments", &PlanStatistics::segments, "by first instruction")
      .field("pending_compiles", &PlanStatistics::pending_compiles, "waiting, or being compiled")
      .field("arena_bytes", &PlanStatistics::arena_bytes, "memory of plans that no run uses now")
      .field("layout_bytes", &PlanStatistics::layout_bytes, "layouts remembered for sizes");
  record.finish();
}

void bind_session_statistics(py::module_& module) {
  Record<SessionStatistics> record(module, "SessionStatistics", "What a session holds now.");
  record.field("runs", &SessionStatistics::runs, "finished without error")
      .field("failed_runs", &SessionStatistics::failed_runs, "ended by an error")
      .field("constant_bytes", &SessionStatistics::constant_bytes, "weights")
      .field("packed_bytes", &SessionStatistics::packed_bytes, "forms that kernels prefer")
      .field("live_bytes", &SessionStatistics::live_bytes, "tensors in use now")
      .field("peak_bytes", &SessionStatistics::peak_bytes, "the most at one moment")
      .field("reserved_bytes", &SessionStatistics::reserved_bytes, "live, and free but kept")
      .field("plans", &SessionStatistics::plans, "PlanStatistics");
  record.finish();
}

void bind_memory_estimate(py::module_& module) {
  Record<MemoryEstimate> record(module, "MemoryEstimate", "What one run takes, in bytes.");
  record.field("input_bytes", &MemoryEstimate::input_bytes, "tensors that the caller brings")
      .field("output_bytes", &MemoryEstimate::output_bytes, "tensors that the caller gets")
      .field("arena_bytes", &MemoryEstimate::arena_bytes, "all that lies in between");
  record.finish();
}

void bind_segment_run(py::module_& module) {
  Record<SegmentRun> record(module, "SegmentRun", "How one segment was executed in a run.");
  record.computed("segment", text_of(&SegmentRun::segment), "SegmentStatistics.name")
      .field("first", &SegmentRun::first, "its first instruction")
      .field("end", &SegmentRun::end, "the instruction behind its last one")
      .computed("tier", tier_word_of(&SegmentRun::tier), "interpreter, any, bucketed or exact")
      .computed("box", text_of(&SegmentRun::box), "of the plan; empty for the interpreter")
      .computed("reason", text_of(&SegmentRun::reason), "why the interpreter; empty for a plan");
  record.finish();
}

}  // namespace

void bind_statistics(py::module_& module) {
  bind_plan_counters(module);
  bind_segments(module);
  bind_plan_statistics(module);
  bind_session_statistics(module);
  bind_memory_estimate(module);
  bind_segment_run(module);
}

}  // namespace pliant::python
