#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pliant::shapes {

/// The values of a segment's entries in one run, in the order of the entries.
using Signature = std::span<const std::int64_t>;

/// Mixes one more number into a hash.
[[nodiscard]] constexpr std::uint64_t mix_hash(std::uint64_t hash, std::uint64_t value) {
  // Two rounds of multiply and fold: extents differ in few low bits, which must reach every bit.
  hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29U);
}

[[nodiscard]] constexpr std::uint64_t hash_signature(Signature signature) {
  std::uint64_t hash = signature.size();
  for (const std::int64_t value : signature) {
    hash = mix_hash(hash, static_cast<std::uint64_t>(value));
  }
  return hash;
}

/// For hash maps whose keys are stored signatures and that are asked with a view of one.
struct SignatureHash {
  using is_transparent = void;
  std::size_t operator()(Signature signature) const { return hash_signature(signature); }
};

/// Equality of stored signatures and views, as SignatureHash needs it.
struct SignatureEqual {
  using is_transparent = void;
  bool operator()(Signature a, Signature b) const {
    if (a.size() != b.size()) {
      return false;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] != b[i]) {
        return false;
      }
    }
    return true;
  }
};

}  // namespace pliant::shapes
