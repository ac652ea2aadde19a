#include "session/warm_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include "base/result.h"
#include "session/named_signature.h"
#include "shapes/profile_json.h"
#include "shapes/weight.h"
#include "text/printer.h"
#include "threads/stop_check.h"

namespace pliant::session {
namespace {

/// "12/2,3": a segment from instruction 12 on, for ranks 2 and 3.
struct SegmentName {
  std::size_t first = 0;
  SegmentStart::Ranks ranks;
  bool is_exact = false;  ///< SegmentStart::kExactSuffix
};

std::optional<std::size_t> take_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<SegmentName> parse_name(std::string_view text) {
  SegmentName name;
  const auto first = take_number(text);
  if (!first) {
    return std::nullopt;
  }
  name.first = *first;
  if (text.ends_with(SegmentStart::kExactSuffix)) {
    name.is_exact = true;
    text.remove_suffix(SegmentStart::kExactSuffix.size());
  }
  for (char separator = '/'; !text.empty(); separator = ',') {
    if (text.front() != separator) {
      return std::nullopt;
    }
    text.remove_prefix(1);
    const auto rank = take_number(text);
    if (!rank || *rank > kMaxRank) {
      return std::nullopt;
    }
    name.ranks.push_back(*rank);
  }
  return name;
}

/// What an entry was in some run of a profile.
std::optional<std::int64_t> value_in(const shapes::SegmentProfile& profile,
                                     const std::string& name) {
  for (std::size_t i = 0; i < profile.entries.size(); ++i) {
    if (profile.entries[i].name == shapes::profile_name(name)) {
      return profile.signatures.front().values[i];
    }
  }
  return std::nullopt;
}

/// The segment that a profile means, compiled for any size if it is new. Null when this program has
/// no such segment.
SegmentPlans* find_segment(PlannedProgram& planned, const shapes::SegmentProfile& profile) {
  const std::optional<SegmentName> name = parse_name(profile.name);
  if (!name || name->first >= planned.program().instructions.size()) {
    return nullptr;
  }
  const SegmentVariant* const variant = planned.start_at(name->first).compile(name->ranks);
  SegmentPlans* segment = variant == nullptr ? nullptr : variant->plans.get();
  if (variant != nullptr && name->is_exact) {
    segment = variant->exact == nullptr || profile.signatures.empty()
                  ? nullptr
                  : variant->exact->compile([&](const plan::DecidingEntry& entry) {
                      return value_in(profile, entry.name);
                    });
  }
  const bool fits = segment != nullptr && segment->can_be_planned() &&
                    shapes::is_about(profile, segment->segment().compiled().graph.entries);
  return fits ? segment : nullptr;
}

std::uint64_t weight_of(const shapes::SegmentProfile& profile) {
  std::uint64_t weight = 0;
  for (const shapes::ProfiledSignature& signature : profile.signatures) {
    weight = shapes::add_weights(weight, signature.weight);
  }
  return weight;
}

struct Wish {
  SegmentPlans* segment = nullptr;
  shapes::WeightedBox box;
};

void warn(EventLog& log, const std::string& what, const std::string& reason) {
  log.write([&] {
    return LogEvent{LogEvent::Level::kWarning, "warm-up", {{"what", what}, {"reason", reason}}};
  });
}

/// The boxes of a profile that are to be compiled, heaviest first.
std::vector<Wish> wishes(PlannedProgram& planned, const shapes::Profile& profile) {
  const std::size_t most = planned.planning().options.warm_up_boxes;
  EventLog& log = planned.planning().log;
  std::vector<const shapes::SegmentProfile*> heaviest;
  for (const shapes::SegmentProfile& segment : profile.segments) {
    heaviest.push_back(&segment);
  }
  std::stable_sort(heaviest.begin(), heaviest.end(),
                   [](const auto* a, const auto* b) { return weight_of(*a) > weight_of(*b); });
  // Others could not bring a box among the heaviest, or hardly.
  heaviest.resize(std::min(heaviest.size(), std::max<std::size_t>(most, 1)));
  std::vector<Wish> wishes;
  for (const shapes::SegmentProfile* const traffic : heaviest) {
    SegmentPlans* const segment = find_segment(planned, *traffic);
    if (segment == nullptr) {
      warn(log, "segment " + traffic->name, "this program has no such segment, or other sizes");
      continue;
    }
    for (shapes::WeightedBox& box :
         shapes::heaviest_boxes(*traffic, segment->segment().compiled().graph.entries,
                                planned.planning().options.bucket_width, most)) {
      wishes.push_back({segment, std::move(box)});
    }
  }
  std::stable_sort(wishes.begin(), wishes.end(),
                   [](const Wish& a, const Wish& b) { return a.box.weight > b.box.weight; });
  wishes.resize(std::min(wishes.size(), most));
  return wishes;
}

/// The segment that begins the program, for these sizes; null where none is known that has a plan:
/// the sizes of others follow from a run.
SegmentPlans* first_segment(PlannedProgram& planned, NamedValues& values) {
  if (planned.program().instructions.empty()) {
    return nullptr;
  }
  for (const SegmentVariant* const variant : planned.start_at(0).variants()) {
    SegmentPlans* const exact =
        variant->exact == nullptr ? nullptr
                                  : variant->exact->compile([&](const plan::DecidingEntry& entry) {
                                      return values.of(entry);
                                    });
    if (exact != nullptr) {
      return exact;
    }
    if (variant->plans->can_be_planned()) {
      return variant->plans.get();
    }
  }
  return nullptr;
}

}  // namespace

std::string program_fingerprint(const Program& program) {
  text::PrintOptions options;
  options.max_constant_elements = 0;
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char character : text::print(program, options)) {
    hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3U;
  }
  return fmt::format("{:016x}", hash);
}

Status warm_up(PlannedProgram& planned, std::string_view text,
               const std::function<bool()>& should_stop) {
  const auto start = std::chrono::steady_clock::now();
  PLIANT_ASSIGN_OR_RETURN(const shapes::Profile profile, shapes::read_profile(text));
  EventLog& log = planned.planning().log;
  if (!profile.program.empty() && profile.program != program_fingerprint(planned.program())) {
    warn(log, "the profile", "it was recorded with another program; what fits is used");
  }
  for (const shapes::ValueRange& range : profile.value_ranges) {
    planned.value_ranges().widen(range);
  }
  const std::vector<Wish> wanted = wishes(planned, profile);
  if (wanted.empty() && !profile.segments.empty() && planned.planning().options.warm_up_boxes > 0) {
    return make_error(ErrorCode::kInvalidArgument,
                      "nothing in the profile is about this model: its segments are {}, the first "
                      "one of the profile is '{}'",
                      planned.segments().size(), profile.segments.front().name);
  }
  std::size_t published = 0;
  std::optional<StopCheck> stop;
  if (should_stop) {
    stop.emplace(should_stop);
  }
  for (const Wish& wish : wanted) {
    if (stop && stop->ask()) {
      return stopped();
    }
    published +=
        wish.segment->prepare({wish.box.box, wish.box.heaviest}) == CompileOutcome::kPublished ? 1
                                                                                               : 0;
  }
  log.write([&] {
    const auto spent = std::chrono::steady_clock::now() - start;
    return LogEvent{
        LogEvent::Level::kInfo,
        "warm-up",
        {{"boxes", std::to_string(wanted.size())},
         {"plans", std::to_string(published)},
         {"microseconds",
          std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(spent).count())}}};
  });
  return {};
}

Status warm_up_exact(PlannedProgram& planned, std::span<const NamedSize> sizes) {
  NamedValues values(sizes);
  SegmentPlans* const segment = first_segment(planned, values);
  if (segment == nullptr) {
    return make_error(ErrorCode::kUnsupported,
                      "no part of this model has sizes that are known before a run");
  }
  PLIANT_ASSIGN_OR_RETURN(
      std::vector<std::int64_t> signature,
      signature_of(segment->segment().compiled().graph.entries, sizes, values.asked()));
  const shapes::Box box = shapes::exact_box(signature);
  segment->prepare({box, std::move(signature)});
  return {};
}

}  // namespace pliant::session
