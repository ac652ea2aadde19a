#include "session/named_signature.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/result.h"

namespace pliant::session {
namespace {

Status check_names(std::span<const shapes::Entry> entries, std::span<const NamedSize> sizes) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (sizes[i].name == sizes[j].name) {
        return make_error(ErrorCode::kInvalidArgument, "size '{}' is given twice", sizes[i].name);
      }
    }
    if (std::none_of(entries.begin(), entries.end(),
                     [&](const shapes::Entry& entry) { return entry.name == sizes[i].name; })) {
      return make_error(ErrorCode::kInvalidArgument, "no size is called '{}'", sizes[i].name);
    }
  }
  return {};
}

std::optional<std::int64_t> value_of(std::span<const NamedSize> sizes, const std::string& name) {
  const auto found = std::find_if(sizes.begin(), sizes.end(),
                                  [&](const NamedSize& size) { return size.name == name; });
  return found == sizes.end() ? std::nullopt : std::optional(found->value);
}

/// The segment that begins the program, for these sizes; null where none is known that has a plan:
/// the sizes of others follow from a run.
SegmentPlans* first_segment(PlannedProgram& planned, std::span<const NamedSize> sizes) {
  if (planned.program().instructions.empty()) {
    return nullptr;
  }
  for (const SegmentVariant* const variant : planned.start_at(0).variants()) {
    SegmentPlans* const exact =
        variant->exact == nullptr ? nullptr
                                  : variant->exact->compile([&](const plan::DecidingEntry& entry) {
                                      return value_of(sizes, entry.name);
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

Result<NamedSignature> find_signature(PlannedProgram& planned, std::span<const NamedSize> sizes) {
  NamedSignature named{first_segment(planned, sizes), {}};
  if (named.segment == nullptr) {
    return make_error(ErrorCode::kUnsupported,
                      "no part of this model has sizes that are known before a run");
  }
  const auto& entries = named.segment->segment().compiled().graph.entries;
  for (const shapes::Entry& entry : entries) {
    const std::optional<std::int64_t> value = value_of(sizes, entry.name);
    if (!value) {
      return make_error(ErrorCode::kInvalidArgument, "the size '{}' is missing", entry.name);
    }
    if (entry.kind == shapes::Entry::Kind::kExtent && *value < 0) {
      return make_error(ErrorCode::kInvalidArgument, "the size '{}' is negative: {}", entry.name,
                        *value);
    }
    named.signature.push_back(*value);
  }
  PLIANT_RETURN_IF_ERROR(check_names(entries, sizes));
  return named;
}

}  // namespace pliant::session
