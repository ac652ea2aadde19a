#include "text/plan_text.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "plan/compile.h"
#include "plan/exact_values.h"
#include "plan/passes.h"
#include "plan/printer.h"
#include "text/assembler.h"
#include "verify/verify.h"

namespace pliant::testing {
namespace {

/// Tests read the same on every machine.
constexpr CpuLevel kLevel = CpuLevel::kPortable;

struct Pass {
  std::string_view name;
  std::function<void(plan::Graph&)> run;
};

const std::vector<Pass>& all_passes() {
  static const std::vector<Pass> passes = {
      {"forward_identities", plan::forward_identities},
      {"merge_equal", plan::merge_equal},
      {"drop_dead", plan::drop_dead},
      {"trim_signature", plan::trim_signature},
      {"fold_constants", [](plan::Graph& graph) { plan::fold_constants(graph, kLevel); }},
      {"fuse_gelu", plan::fuse_gelu},
      {"fuse_softmax", plan::fuse_softmax},
      {"fuse_normalisation", plan::fuse_normalisation},
      {"fuse_attention", plan::fuse_attention},
      {"absorb_casts", plan::absorb_casts},
      {"group_elementwise", [](plan::Graph& graph) { plan::group_elementwise(graph, kLevel); }},
      {"join_rows", plan::join_rows},
  };
  return passes;
}

/// The next word of a list; spaces within round brackets are part of it.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  int depth = 0;
  std::size_t end = 0;
  for (; end < text.size() && (text[end] != ' ' || depth > 0); ++end) {
    depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
  }
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

/// "exact(target[0]=-1, n=2)": the values that a graph is captured for.
Result<std::vector<plan::ExactValue>> exact_values(std::string_view word,
                                                   const plan::Stretch& stretch,
                                                   const plan::KnownRanks& ranks) {
  return plan::find_exact_values(
      stretch, ranks, [&](const plan::DecidingEntry& entry) -> std::optional<std::int64_t> {
        const std::size_t place = word.find(entry.name + "=");
        if (place == std::string_view::npos) {
          return std::nullopt;
        }
        const std::string_view value = word.substr(place + entry.name.size() + 1);
        return number(value.substr(0, value.find_first_of(",)")));
      });
}

/// "batch=1, seq=2..16" as a box.
Result<shapes::Box> parse_box(std::string_view text, const plan::Graph& graph) {
  shapes::Box box = shapes::any_box(graph.entries);
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string_view name = item.substr(0, equals);
    const std::string_view range = item.substr(std::min(equals + 1, item.size()));
    const std::size_t dots = range.find("..");
    const auto low = number(range.substr(0, dots));
    const auto high = dots == std::string_view::npos ? low : number(range.substr(dots + 2));
    const auto entry =
        std::find_if(graph.entries.begin(), graph.entries.end(),
                     [&](const shapes::Entry& candidate) { return candidate.name == name; });
    if (!low || !high || entry == graph.entries.end()) {
      return make_error(ErrorCode::kSyntax, "`{}` is no interval of an entry", item);
    }
    box.intervals[static_cast<std::size_t>(entry - graph.entries.begin())] = {*low, *high};
  }
  return box;
}

Status run_pass(plan::Graph& graph, std::string_view word) {
  constexpr std::string_view kSpecialise = "specialise(";
  if (word.starts_with(kSpecialise) && word.ends_with(')')) {
    word.remove_prefix(kSpecialise.size());
    word.remove_suffix(1);
    PLIANT_ASSIGN_OR_RETURN(const shapes::Box box, parse_box(word, graph));
    plan::specialise(graph, box);
    return {};
  }
  const auto pass = std::find_if(all_passes().begin(), all_passes().end(),
                                 [&](const Pass& candidate) { return candidate.name == word; });
  if (pass == all_passes().end()) {
    return make_error(ErrorCode::kSyntax, "there is no pass {}", word);
  }
  pass->run(graph);
  const std::string once = plan::print(graph);
  pass->run(graph);
  if (plan::print(graph) != once) {
    return make_error(ErrorCode::kInvalidArgument, "{} changes what it has made:\n{}---\n{}", word,
                      once, plan::print(graph));
  }
  return {};
}

}  // namespace

Result<std::string> plan_text(const std::string& program, const std::string& path,
                              const std::string& passes) {
  Diagnostics diagnostics;
  auto assembled = text::assemble(program, path, diagnostics);
  if (!assembled) {
    return make_error(ErrorCode::kSyntax, "{}", diagnostics.render(program));
  }
  PLIANT_ASSIGN_OR_RETURN(const VerifiedProgram verified, verify::verify(std::move(*assembled)));
  const plan::RegisterUses uses(*verified);
  const std::size_t end = verified->instructions.size();
  const plan::KnownRanks ranks = plan::declared_ranks(*verified);
  const plan::Stretch stretch{*verified, uses, 0, end};
  if (passes == "all" || passes == "emitted") {
    const plan::CompiledSegment segment = plan::compile_segment(stretch, ranks, {}, {kLevel, true});
    plan::DeclineReason reason = plan::DeclineReason::kNone;
    const auto floor = plan::compile_any_size(segment, reason);
    if (floor == nullptr || floor->end != end) {
      return make_error(ErrorCode::kInvalidArgument, "the program cannot be planned up to its end");
    }
    if (passes == "emitted") {
      return plan::print(*floor);
    }
    plan::Graph graph = segment.graph;
    plan::group_elementwise(graph, kLevel);
    plan::join_rows(graph);
    return plan::print(graph);
  }
  std::string_view rest = passes;
  std::vector<plan::ExactValue> exact;
  if (passes.starts_with("exact(")) {
    PLIANT_ASSIGN_OR_RETURN(exact, exact_values(take_word(rest), stretch, ranks));
  }
  plan::Captured captured = plan::capture(stretch, ranks, exact);
  if (captured.graph.end != end) {
    return make_error(ErrorCode::kInvalidArgument, "the program cannot be planned up to its end");
  }
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    PLIANT_RETURN_IF_ERROR(run_pass(captured.graph, word));
  }
  return plan::print(captured.graph);
}

}  // namespace pliant::testing
