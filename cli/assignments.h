#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/result.h>

namespace pliant::cli {

/// NAME=VALUE, split at the last `=`, since names of tensors are opaque.
struct Assignment {
  std::string name;
  std::string value;
};
[[nodiscard]] Result<Assignment> parse_assignment(std::string_view text);

/// Extents of symbols: "seq=128,batch=4". Several texts add up.
using Sizes = std::map<std::string, std::int64_t>;
[[nodiscard]] Result<Sizes> parse_sizes(const std::vector<std::string>& texts);
/// The same as text again; "-" when there are none.
[[nodiscard]] std::string to_string(const Sizes& sizes);

/// A symbol that takes one value after another: "seq=16,32,64".
struct Sweep {
  std::string symbol;
  std::vector<std::int64_t> values;
};
[[nodiscard]] Result<Sweep> parse_sweep(std::string_view text);

/// Bounds of random values, both included: "ids=0..30000".
struct ValueRange {
  double low = 0;
  double high = 1;
};
using ValueRanges = std::map<std::string, ValueRange>;
[[nodiscard]] Result<ValueRanges> parse_ranges(const std::vector<std::string>& texts);

}  // namespace pliant::cli
