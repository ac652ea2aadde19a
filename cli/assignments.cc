#include "cli/assignments.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace pliant::cli {
namespace {

Error wrong(std::string_view expected, std::string_view given) {
  return {ErrorCode::kInvalidArgument, fmt::format("expected {}: '{}'", expected, given), {}};
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> parse_extent(std::string_view text) {
  const auto value = parse_number<std::int64_t>(text);
  return value && *value >= 0 ? value : std::nullopt;
}

}  // namespace

Result<Assignment> parse_assignment(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    return wrong("NAME=VALUE", text);
  }
  return Assignment{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

Result<Sizes> parse_sizes(const std::vector<std::string>& texts) {
  Sizes sizes;
  for (const std::string& text : texts) {
    for (const std::string_view part : split(text, ',')) {
      if (part.empty()) {
        continue;
      }
      const auto assignment = parse_assignment(part);
      const auto extent = assignment ? parse_extent(assignment->value) : std::nullopt;
      if (!extent) {
        return wrong("SYMBOL=EXTENT, for example seq=128", part);
      }
      if (!sizes.emplace(assignment->name, *extent).second) {
        return Error{ErrorCode::kInvalidArgument,
                     fmt::format("a symbol is given twice: '{}'", assignment->name),
                     {}};
      }
    }
  }
  return sizes;
}

std::string to_string(const Sizes& sizes) {
  std::string text;
  for (const auto& [symbol, extent] : sizes) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", symbol, extent);
  }
  return text.empty() ? "-" : text;
}

Result<Sweep> parse_sweep(std::string_view text) {
  const auto assignment = parse_assignment(text);
  if (!assignment) {
    return wrong("SYMBOL=EXTENT,EXTENT,..., for example seq=16,32,64", text);
  }
  Sweep sweep{assignment->name, {}};
  for (const std::string_view part : split(assignment->value, ',')) {
    const auto extent = parse_extent(part);
    if (!extent) {
      return wrong("SYMBOL=EXTENT,EXTENT,..., for example seq=16,32,64", text);
    }
    sweep.values.push_back(*extent);
  }
  return sweep;
}

Result<ValueRanges> parse_ranges(const std::vector<std::string>& texts) {
  ValueRanges ranges;
  for (const std::string& text : texts) {
    const auto assignment = parse_assignment(text);
    if (!assignment) {
      return wrong("NAME=LOW..HIGH, for example ids=0..30000", text);
    }
    const std::string_view value = assignment->value;
    const std::size_t dots = value.find("..");
    if (dots == std::string_view::npos) {
      return wrong("NAME=LOW..HIGH, for example ids=0..30000", text);
    }
    const auto low = parse_number<double>(value.substr(0, dots));
    const auto high = parse_number<double>(value.substr(dots + 2));
    if (!low || !high || !(*low <= *high) || !std::isfinite(*low) || !std::isfinite(*high)) {
      return wrong("NAME=LOW..HIGH with LOW at most HIGH, for example ids=0..30000", text);
    }
    ranges[assignment->name] = {*low, *high};
  }
  return ranges;
}

}  // namespace pliant::cli
