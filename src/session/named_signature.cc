#include "session/named_signature.h"

#include <algorithm>

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

}  // namespace

Result<NamedSignature> find_signature(const PlannedProgram& planned,
                                      std::span<const NamedSize> sizes) {
  for (SegmentPlans* const segment : planned.segments()) {
    const plan::Graph& graph = segment->segment().compiled().graph;
    if (graph.first != 0 || !segment->can_be_planned()) {
      continue;  // its sizes follow from a run
    }
    NamedSignature named{segment, {}};
    for (const shapes::Entry& entry : graph.entries) {
      const auto found = std::find_if(sizes.begin(), sizes.end(), [&](const NamedSize& size) {
        return size.name == entry.name;
      });
      if (found == sizes.end()) {
        return make_error(ErrorCode::kInvalidArgument, "the size '{}' is missing", entry.name);
      }
      if (entry.kind == shapes::Entry::Kind::kExtent && found->value < 0) {
        return make_error(ErrorCode::kInvalidArgument, "the size '{}' is negative: {}", entry.name,
                          found->value);
      }
      named.signature.push_back(found->value);
    }
    PLIANT_RETURN_IF_ERROR(check_names(graph.entries, sizes));
    return named;
  }
  return make_error(ErrorCode::kUnsupported,
                    "no part of this model has sizes that are known before a run");
}

}  // namespace pliant::session
