#include "session/run_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "isa/info.h"
#include "plan/plan.h"
#include "session/run_report.h"
#include "shapes/json_string.h"

namespace pliant::session {
namespace {

using plan::CallOrigin;
using shapes::json_string;

constexpr int kRunThread = 1;
constexpr int kCompileThread = 2;

/// "MATMUL | ELEMENTWISE_ADD", of the part of a step that a call does. `has_group_call`: its group is
/// a call by itself.
std::string name_of(const plan::Step& step, CallOrigin::Kind kind, bool has_group_call) {
  if (kind == CallOrigin::Kind::kCopy) {
    return "copy";
  }
  const bool is_group = kind == CallOrigin::Kind::kGroup;
  const std::size_t first = is_group && step.op != nullptr ? 1 : 0;
  const std::size_t end = !is_group && has_group_call ? 1 : step.instructions.size();
  std::string name;
  for (std::size_t i = first; i < end; ++i) {
    const isa::Opcode opcode = step.instructions[i].instruction.opcode;
    name += fmt::format("{}{}", name.empty() ? "" : " | ", isa::info(opcode).mnemonic);
  }
  return name;
}

const char* category_of(CallOrigin::Kind kind) {
  switch (kind) {
    case CallOrigin::Kind::kInstruction:
      return "kernel";
    case CallOrigin::Kind::kGroup:
      return "group";
    case CallOrigin::Kind::kCopy:
      return "copy";
  }
  return "";
}

/// One event: a slice of a thread.
void write_slice(std::string& text, std::string_view name, const char* category, int thread,
                 double begin, double duration,
                 const std::vector<std::pair<const char*, std::string>>& details) {
  const auto out = std::back_inserter(text);
  fmt::format_to(out, R"({{"ph": "X", "pid": 1, "tid": {}, "ts": {:.3f}, "dur": {:.3f}, )", thread,
                 begin, duration);
  fmt::format_to(out, R"("name": {}, "cat": "{}", "args": {{)", json_string(std::string(name)),
                 category);
  const char* separator = "";
  for (const auto& [key, value] : details) {
    fmt::format_to(out, "{}\"{}\": {}", separator, key, json_string(value));
    separator = ", ";
  }
  text += "}},\n";
}

void write_thread(std::string& text, int thread, std::string_view name) {
  fmt::format_to(
      std::back_inserter(text),
      R"({{"ph": "M", "pid": 1, "tid": {}, "name": "thread_name", "args": {{"name": "{}"}}}})",
      thread, name);
}

}  // namespace

RunTrace::RunTrace(const Program& program)
    : program_(program),
      begin_(Clock::now()),
      last_(begin_),
      bound_from_(begin_),
      bound_to_(begin_) {}

void RunTrace::bound(bool newly_bound) {
  newly_bound_ = newly_bound;
  bound_from_ = last_;
  last_ = Clock::now();
  bound_to_ = last_;
}

void RunTrace::called(std::span<const CallOrigin> calls) {
  const Time now = Clock::now();
  calls_.push_back({{calls.begin(), calls.end()}, last_, now});
  last_ = now;
}

void RunTrace::end_plan(const SegmentPlans& segment, const cache::CachedPlan& cached,
                        std::string_view reason) {
  const Time now = Clock::now();
  const plan::Plan& plan = *cached.plan();
  const bool was_bound = bound_to_ > bound_from_;
  Slice whole{"segment " + segment.name(),
              "plan",
              was_bound ? bound_from_ : last_,
              now,
              {{"tier", tier_name(tier_of(cached.breadth()))},
               {"box", cached.box().to_string(plan.entries)}}};
  if (!reason.empty()) {
    whole.details.emplace_back("gave up", std::string(reason));
  }
  add(std::move(whole));
  if (was_bound) {
    add({newly_bound_ ? "lay out and bind" : "bind again", "bind", bound_from_, bound_to_, {}});
  }
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    add(slice_of(plan, calls_[i], i + 1 < calls_.size() ? &calls_[i + 1] : nullptr));
  }
  calls_.clear();
  bound_from_ = bound_to_ = now;
}

RunTrace::Slice RunTrace::slice_of(const plan::Plan& plan, const Calls& calls,
                                   const Calls* next) const {
  const bool is_one = calls.origins.size() == 1;
  Slice slice{"",
              is_one ? category_of(calls.origins.front().kind) : "rows",
              calls.begin,
              calls.end,
              {{is_one ? "step" : "steps", ""}, {"from", ""}}};
  const auto add = [](std::string& list, std::string_view separator, const std::string& item) {
    list += fmt::format("{}{}", list.empty() ? "" : separator, item);
  };
  const auto is_group_of = [](const CallOrigin& call, int step) {
    return call.kind == CallOrigin::Kind::kGroup && call.step == step;
  };
  int last = -1;
  for (const CallOrigin& call : calls.origins) {
    if (is_group_of(call, last)) {
      continue;  // named with its step
    }
    const plan::Step& step = plan.steps[static_cast<std::size_t>(call.step)];
    const bool has_own_group =
        is_one && next != nullptr && is_group_of(next->origins.front(), call.step);
    add(slice.name, " + ", name_of(step, call.kind, has_own_group));
    if (call.step != last) {
      add(slice.details[0].second, ", ", std::to_string(call.step));
      add(slice.details[1].second, ", ", program_.describe(step.origin));
      last = call.step;
    }
  }
  return slice;
}

void RunTrace::end_instruction(std::size_t instruction) {
  add({std::string(isa::info(program_.instructions[instruction].opcode).mnemonic),
       "interpreter",
       last_,
       Clock::now(),
       {{"instruction", std::to_string(instruction)}, {"from", program_.describe(instruction)}}});
}

std::string RunTrace::json(const CompileHistory& compiles) const {
  const Time end = Clock::now();
  const std::vector<CompileHistory::Compile> beside = compiles.ended_since(begin_);
  Time zero = begin_;
  for (const CompileHistory::Compile& compile : beside) {
    zero = std::min(zero, compile.begin);
  }
  const auto microseconds = [](Clock::duration duration) {
    return std::chrono::duration<double, std::micro>(duration).count();
  };
  std::string text = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
  write_slice(text, "run", "run", kRunThread, microseconds(begin_ - zero),
              microseconds(end - begin_), {});
  for (const Slice& slice : slices_) {
    write_slice(text, slice.name, slice.category, kRunThread, microseconds(slice.begin - zero),
                microseconds(slice.end - slice.begin), slice.details);
  }
  for (const CompileHistory::Compile& compile : beside) {
    const bool in_run = compile.thread == std::this_thread::get_id();
    write_slice(text, "compile", "compile", in_run ? kRunThread : kCompileThread,
                microseconds(compile.begin - zero), microseconds(compile.end - compile.begin),
                {{"what", compile.what}, {"outcome", compile.outcome}});
  }
  write_thread(text, kCompileThread, "compiling");
  text += ",\n";
  write_thread(text, kRunThread, "run");
  text += "\n]}\n";
  return text;
}

}  // namespace pliant::session
