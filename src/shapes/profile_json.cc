#include "shapes/profile_json.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <unordered_set>
#include <utility>

#include "shapes/bounded_json.h"
#include "shapes/json_string.h"

namespace pliant::shapes {
namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "pliant-profile";

const char* kind_name(Entry::Kind kind) {
  return kind == Entry::Kind::kExtent ? "extent" : "element";
}

// ---- Writing -----------------------------------------------------------------------------------

/// Appends `[` items `]`, one a line, or `[]`.
template <class Items, class Write>
void write_list(std::string& text, const Items& items, std::string_view indentation,
                const Write& write) {
  text += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}\n{}  ", i == 0 ? "" : ",", indentation);
    write(items[i]);
  }
  fmt::format_to(std::back_inserter(text), "{}{}]", items.empty() ? "" : "\n",
                 items.empty() ? "" : indentation);
}

void write_segment(std::string& text, const SegmentProfile& segment) {
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{{\n      \"name\": {},\n      \"entries\": ", json_string(segment.name));
  write_list(text, segment.entries, "      ", [&](const ProfiledEntry& entry) {
    fmt::format_to(out, R"({{"name": {}, "kind": "{}"}})", json_string(entry.name),
                   kind_name(entry.kind));
  });
  text += ",\n      \"signatures\": ";
  write_list(text, segment.signatures, "      ", [&](const ProfiledSignature& signature) {
    fmt::format_to(out, R"({{"values": [{}], "weight": {}}})", fmt::join(signature.values, ", "),
                   signature.weight);
  });
  fmt::format_to(out, ",\n      \"forgotten_weight\": {}\n    }}", segment.forgotten_weight);
}

// ---- Reading -----------------------------------------------------------------------------------

/// Where in the text a value stands, as a chain that is written out only for an error.
class Place {
 public:
  Place() = default;
  [[nodiscard]] Place key(std::string_view name) const { return {this, name, 0}; }
  [[nodiscard]] Place item(std::size_t index) const { return {this, {}, index}; }

  [[nodiscard]] std::string to_string() const {
    if (outer_ == nullptr) {
      return {};
    }
    const std::string outer = outer_->to_string();
    if (name_.empty()) {
      return fmt::format("{}[{}]", outer, index_);
    }
    return fmt::format("{}{}{}", outer, outer.empty() ? "" : ".", name_);
  }

 private:
  Place(const Place* outer, std::string_view name, std::size_t index)
      : outer_(outer), name_(name), index_(index) {}

  const Place* outer_ = nullptr;
  std::string_view name_;  // empty: the index counts
  std::size_t index_ = 0;
};

template <class... Values>
Error corrupt(const Place& place, fmt::format_string<Values...> text, Values&&... values) {
  Error error = make_error(ErrorCode::kCorrupt, text, std::forward<Values>(values)...);
  error.where = place.to_string();
  return error;
}

/// A value as an error prints it.
std::string shown(const json& value) {
  if (value.is_structured()) {
    return value.is_array() ? "a list" : "an object";
  }
  constexpr std::size_t kMostBytes = 60;
  return profile_name(value.dump(-1, ' ', true, json::error_handler_t::replace))
      .substr(0, kMostBytes);
}

Status check_keys(const json& object, const Place& place,
                  std::initializer_list<std::string_view> wanted,
                  std::initializer_list<std::string_view> optional = {}) {
  if (!object.is_object()) {
    return corrupt(place, "profile: an object is wanted here, not {}", shown(object));
  }
  for (const std::string_view key : wanted) {
    if (!object.contains(key)) {
      return corrupt(place, "profile: a key is missing: {}", key);
    }
  }
  for (const auto& item : object.items()) {
    const auto is_it = [&item](std::string_view key) { return key == item.key(); };
    if (std::none_of(wanted.begin(), wanted.end(), is_it) &&
        std::none_of(optional.begin(), optional.end(), is_it)) {
      return corrupt(place, "profile: unknown key: {}", shown(item.key()));
    }
  }
  return {};
}

Status check_list(const json& list, const Place& place, std::size_t most) {
  if (!list.is_array()) {
    return corrupt(place, "profile: a list is wanted here, not {}", shown(list));
  }
  if (list.size() > most) {
    Error error = make_error(ErrorCode::kResourceExhausted,
                             "profile: a list may hold {} items at most, and this one holds {}",
                             most, list.size());
    error.where = place.to_string();
    return error;
  }
  return {};
}

Result<std::string> read_string(const json& value, const Place& place) {
  const auto* text = value.get_ptr<const std::string*>();
  if (text == nullptr) {
    return corrupt(place, "profile: a text is wanted here, not {}", shown(value));
  }
  if (text->size() > kMaxProfiledNameBytes) {
    return corrupt(place, "profile: a name may have {} bytes at most, and this one has {}",
                   kMaxProfiledNameBytes, text->size());
  }
  return *text;
}

/// A number of the type of its bounds, which is the one that the format wants.
template <class Integer>
Result<Integer> read_integer(const json& value, const Place& place, Integer low,
                             std::type_identity_t<Integer> high) {
  // The text says nothing about types: what is not negative is unsigned, and what is neither fits
  // no type.
  if (value.is_number_unsigned()) {
    const auto number = *value.get_ptr<const std::uint64_t*>();
    if (std::cmp_greater_equal(number, low) && std::cmp_less_equal(number, high)) {
      return static_cast<Integer>(number);
    }
  } else if (value.is_number_integer()) {
    const auto number = *value.get_ptr<const std::int64_t*>();
    if (std::cmp_greater_equal(number, low) && std::cmp_less_equal(number, high)) {
      return static_cast<Integer>(number);
    }
  }
  return corrupt(place, "profile: a whole number in {}..{} is wanted here, not {}", low, high,
                 shown(value));
}

Result<std::uint64_t> read_weight(const json& value, const Place& place, std::uint64_t low) {
  return read_integer<std::uint64_t>(value, place, low, std::numeric_limits<std::uint64_t>::max());
}

Result<std::int64_t> read_value(const json& value, const Place& place, Entry::Kind kind) {
  if (kind == Entry::Kind::kExtent) {
    return read_integer<std::int64_t>(value, place, 0, kMaxProfiledExtent);
  }
  return read_integer(value, place, Interval::kNoLow, Interval::kNoHigh);
}

Result<ProfiledEntry> read_entry(const json& value, const Place& place) {
  PLIANT_RETURN_IF_ERROR(check_keys(value, place, {"name", "kind"}));
  ProfiledEntry entry;
  PLIANT_ASSIGN_OR_RETURN(entry.name, read_string(value["name"], place.key("name")));
  PLIANT_ASSIGN_OR_RETURN(const std::string kind, read_string(value["kind"], place.key("kind")));
  for (const Entry::Kind known : {Entry::Kind::kExtent, Entry::Kind::kElement}) {
    if (kind == kind_name(known)) {
      entry.kind = known;
      return entry;
    }
  }
  return corrupt(place.key("kind"), R"(profile: the kinds are "extent" and "element", not {})",
                 shown(value["kind"]));
}

Result<ProfiledSignature> read_signature(const json& value, const Place& place,
                                         const std::vector<ProfiledEntry>& entries) {
  PLIANT_RETURN_IF_ERROR(check_keys(value, place, {"values", "weight"}));
  const json& values = value["values"];
  const Place values_place = place.key("values");
  PLIANT_RETURN_IF_ERROR(check_list(values, values_place, kMaxProfiledEntries));
  if (values.size() != entries.size()) {
    return corrupt(values_place, "profile: one value for each entry is wanted: {} and {}",
                   entries.size(), values.size());
  }
  ProfiledSignature signature;
  signature.values.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    PLIANT_ASSIGN_OR_RETURN(const std::int64_t number,
                            read_value(values[i], values_place.item(i), entries[i].kind));
    signature.values.push_back(number);
  }
  PLIANT_ASSIGN_OR_RETURN(signature.weight, read_weight(value["weight"], place.key("weight"), 1));
  return signature;
}

Result<SegmentProfile> read_segment(const json& value, const Place& place) {
  PLIANT_RETURN_IF_ERROR(
      check_keys(value, place, {"name", "entries", "signatures"}, {"forgotten_weight"}));
  SegmentProfile segment;
  PLIANT_ASSIGN_OR_RETURN(segment.name, read_string(value["name"], place.key("name")));

  const json& entries = value["entries"];
  const Place entries_place = place.key("entries");
  PLIANT_RETURN_IF_ERROR(check_list(entries, entries_place, kMaxProfiledEntries));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    PLIANT_ASSIGN_OR_RETURN(auto entry, read_entry(entries[i], entries_place.item(i)));
    segment.entries.push_back(std::move(entry));
  }

  const json& signatures = value["signatures"];
  const Place signatures_place = place.key("signatures");
  PLIANT_RETURN_IF_ERROR(check_list(signatures, signatures_place, kMaxProfiledSignatures));
  segment.signatures.reserve(signatures.size());
  std::unordered_set<Signature, SignatureHash, SignatureEqual> seen;
  for (std::size_t i = 0; i < signatures.size(); ++i) {
    const Place here = signatures_place.item(i);
    PLIANT_ASSIGN_OR_RETURN(auto signature, read_signature(signatures[i], here, segment.entries));
    segment.signatures.push_back(std::move(signature));
    // A view of the stored one, which does not move: there is room for all.
    if (!seen.insert(segment.signatures.back().values).second) {
      return corrupt(here, "profile: a signature is listed twice: [{}]",
                     fmt::join(segment.signatures.back().values, ", "));
    }
  }
  if (value.contains("forgotten_weight")) {
    PLIANT_ASSIGN_OR_RETURN(
        segment.forgotten_weight,
        read_weight(value["forgotten_weight"], place.key("forgotten_weight"), 0));
  }
  return segment;
}

Result<ValueRange> read_value_range(const json& value, const Place& place) {
  PLIANT_RETURN_IF_ERROR(check_keys(value, place, {"input", "low", "high"}));
  ValueRange range;
  PLIANT_ASSIGN_OR_RETURN(range.input, read_string(value["input"], place.key("input")));
  PLIANT_ASSIGN_OR_RETURN(range.low,
                          read_value(value["low"], place.key("low"), Entry::Kind::kElement));
  PLIANT_ASSIGN_OR_RETURN(range.high,
                          read_value(value["high"], place.key("high"), Entry::Kind::kElement));
  if (range.low > range.high) {
    return corrupt(place, "profile: a range ends before it begins: {} and {}", range.low,
                   range.high);
  }
  return range;
}

/// Reads a list whose items have names, each different.
template <class Item, class Read, class Name>
Result<std::vector<Item>> read_named_list(const json& list, const Place& place, std::size_t most,
                                          const Read& read, const Name& name) {
  PLIANT_RETURN_IF_ERROR(check_list(list, place, most));
  std::vector<Item> items;
  items.reserve(list.size());
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Place here = place.item(i);
    PLIANT_ASSIGN_OR_RETURN(auto item, read(list[i], here));
    if (!names.insert(std::invoke(name, item)).second) {
      return corrupt(here, "profile: a name is listed twice: {}", shown(std::invoke(name, item)));
    }
    items.push_back(std::move(item));
  }
  return items;
}

Status check_format_and_version(const json& root) {
  const auto* format = root.is_object() && root.contains("format")
                           ? root["format"].get_ptr<const std::string*>()
                           : nullptr;
  if (format == nullptr || *format != kFormat) {
    return corrupt(Place(), R"(profile: this is no traffic profile, its "format" is not "{}")",
                   kFormat);
  }
  if (!root.contains("version")) {
    return corrupt(Place(), "profile: a key is missing: version");
  }
  PLIANT_ASSIGN_OR_RETURN(
      const std::int64_t version,
      read_value(root["version"], Place().key("version"), Entry::Kind::kElement));
  if (version != kProfileVersion) {
    return make_error(ErrorCode::kUnsupported, "profile: version {} can be read, not version {}",
                      kProfileVersion, version);
  }
  return {};
}

}  // namespace

std::string write_profile(const Profile& profile) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out,
                 "{{\n  \"format\": \"{}\",\n  \"version\": {},\n  \"program\": {},\n"
                 "  \"segments\": ",
                 kFormat, kProfileVersion, json_string(profile.program));
  write_list(text, profile.segments, "  ",
             [&](const SegmentProfile& segment) { write_segment(text, segment); });
  text += ",\n  \"value_ranges\": ";
  write_list(text, profile.value_ranges, "  ", [&](const ValueRange& range) {
    fmt::format_to(out, R"({{"input": {}, "low": {}, "high": {}}})", json_string(range.input),
                   range.low, range.high);
  });
  text += "\n}\n";
  return text;
}

Result<Profile> read_profile(std::string_view text) {
  if (text.size() > kMaxProfileBytes) {
    return make_error(ErrorCode::kResourceExhausted,
                      "profile: the text may have {} bytes at most, and it has {}",
                      kMaxProfileBytes, text.size());
  }
  PLIANT_ASSIGN_OR_RETURN(const json root, parse_bounded_json(text));
  PLIANT_RETURN_IF_ERROR(check_format_and_version(root));
  const Place place;
  PLIANT_RETURN_IF_ERROR(
      check_keys(root, place, {"format", "version", "program", "segments"}, {"value_ranges"}));
  Profile profile;
  PLIANT_ASSIGN_OR_RETURN(profile.program, read_string(root["program"], place.key("program")));
  PLIANT_ASSIGN_OR_RETURN(
      profile.segments,
      read_named_list<SegmentProfile>(root["segments"], place.key("segments"), kMaxProfiledSegments,
                                      read_segment, &SegmentProfile::name));
  if (root.contains("value_ranges")) {
    PLIANT_ASSIGN_OR_RETURN(
        profile.value_ranges,
        read_named_list<ValueRange>(root["value_ranges"], place.key("value_ranges"),
                                    kMaxProfiledInputs, read_value_range, &ValueRange::input));
  }
  return profile;
}

}  // namespace pliant::shapes
