#include "session/named_signature.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/result.h"

namespace pliant::session {
namespace {

Status check_names(std::span<const shapes::Entry> entries, std::span<const NamedSize> sizes,
                   std::span<const std::string> others) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::string& name = sizes[i].name;
    for (std::size_t j = 0; j < i; ++j) {
      if (name == sizes[j].name) {
        return make_error(ErrorCode::kInvalidArgument, "size '{}' is given twice", name);
      }
    }
    const bool is_entry = std::any_of(entries.begin(), entries.end(),
                                      [&](const auto& entry) { return entry.name == name; });
    if (!is_entry && std::find(others.begin(), others.end(), name) == others.end()) {
      return make_error(ErrorCode::kInvalidArgument, "no size is called '{}'", name);
    }
  }
  return {};
}

std::optional<std::int64_t> value_of(std::span<const NamedSize> sizes, const std::string& name) {
  const auto found = std::find_if(sizes.begin(), sizes.end(),
                                  [&](const NamedSize& size) { return size.name == name; });
  return found == sizes.end() ? std::nullopt : std::optional(found->value);
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    names.push_back(name);
  }
}

}  // namespace

std::optional<std::int64_t> NamedValues::of(const plan::DecidingEntry& entry) {
  add_once(asked_, entry.name);
  const std::optional<std::int64_t> value = value_of(sizes_, entry.name);
  if (!value) {
    add_once(missing_, entry.name);
  }
  const bool is_element = entry.entry.source.kind == plan::EntrySource::Kind::kElement;
  return value && *value < 0 && !is_element ? std::nullopt : value;
}

Result<std::vector<std::int64_t>> signature_of(std::span<const shapes::Entry> entries,
                                               std::span<const NamedSize> sizes,
                                               std::span<const std::string> others) {
  std::vector<std::int64_t> signature;
  std::vector<std::string> missing;
  for (const shapes::Entry& entry : entries) {
    const std::optional<std::int64_t> value = value_of(sizes, entry.name);
    if (!value) {
      missing.push_back(entry.name);
      continue;
    }
    if (entry.kind == shapes::Entry::Kind::kExtent && *value < 0) {
      return make_error(ErrorCode::kInvalidArgument, "the size '{}' is negative: {}", entry.name,
                        *value);
    }
    signature.push_back(*value);
  }
  if (!missing.empty()) {
    return make_error(ErrorCode::kInvalidArgument, "the size{} {} missing",
                      missing.size() == 1 ? "" : "s",
                      quoted_list(missing) + (missing.size() == 1 ? " is" : " are"));
  }
  PLIANT_RETURN_IF_ERROR(check_names(entries, sizes, others));
  return signature;
}

std::string quoted_list(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) {
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", name);
  }
  return text;
}

}  // namespace pliant::session
