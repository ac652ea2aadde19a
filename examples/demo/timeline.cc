#include "timeline.h"

#include <fmt/format.h>

#include <algorithm>

namespace demo {
namespace {

/// Events about loading and single runs are told elsewhere.
bool is_about_plans(const std::string& kind) {
  return kind != "load" && kind != "run";
}

char mark_of(pliant::Tier tier) {
  switch (tier) {
    case pliant::Tier::kExact:
      return 'e';
    case pliant::Tier::kBucketed:
      return 'b';
    case pliant::Tier::kAny:
      return '.';
    default:
      return 'i';
  }
}

}  // namespace

void Timeline::note_event(const pliant::LogEvent& event) {
  if (!is_about_plans(event.kind)) {
    return;
  }
  std::string text = event.kind;
  for (const auto& [name, value] : event.fields) {
    text += fmt::format(" {}={}", name, value);
  }
  const std::lock_guard lock(mutex_);
  events_.push_back({marks_.size(), std::move(text)});
}

void Timeline::note_request(const std::vector<pliant::SegmentRun>& report) {
  char mark = 'i';
  for (const pliant::SegmentRun& segment : report) {
    mark = mark_of(segment.tier);  // the encoder is one segment
  }
  const std::lock_guard lock(mutex_);
  marks_ += mark;
}

void Timeline::print() const {
  constexpr std::size_t kPerLine = 80;
  constexpr std::size_t kMostEvents = 20;
  const std::lock_guard lock(mutex_);
  fmt::print("\nWho executed each request: . any size, b bucketed, e exact, i interpreter\n");
  for (std::size_t i = 0; i < marks_.size(); i += kPerLine) {
    fmt::print("  {}\n", marks_.substr(i, kPerLine));
  }
  for (std::size_t i = 0; i < std::min(events_.size(), kMostEvents); ++i) {
    fmt::print("  after request {}: {}\n", events_[i].request, events_[i].text);
  }
  if (events_.size() > kMostEvents) {
    fmt::print("  and {} more events\n", events_.size() - kMostEvents);
  }
}

}  // namespace demo
