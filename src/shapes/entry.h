#pragma once

#include <cstdint>
#include <string>

namespace pliant::shapes {

/// One number that a run brings to a segment. A symbol is one entry, whatever number of axes it
/// names; extents that the program states as numbers are none.
struct Entry {
  enum class Kind : std::uint8_t {
    kExtent,   ///< of an axis; 0 or more
    kElement,  ///< of a small integer input that shapes depend on; any value
  };

  std::string name;  ///< of the symbol, or of the input and its element, for people
  Kind kind = Kind::kExtent;
  /// Decides a rank, an axis, or a 0 or -1 in a target shape: a plan serves one value of it.
  bool always_exact = false;
  /// Faster code exists for 0, for 1, or for 2 and more, so these never share a bucket.
  bool has_facts = false;

  friend bool operator==(const Entry&, const Entry&) = default;
};

}  // namespace pliant::shapes
