#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pliant::fuzz {

/// Where a generator's decisions come from: the bytes of a fuzzer, or a seed. Out of bytes, every
/// decision is the first one.
class Choices {
 public:
  explicit Choices(std::uint64_t seed) : state_(seed), seeded_(true) {}
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  /// 0..count-1; count > 0.
  [[nodiscard]] std::size_t below(std::size_t count) {
    if (!seeded_) {
      const std::uint8_t byte = position_ < bytes_.size() ? bytes_[position_++] : 0;
      return byte % count;
    }
    // splitmix64, as `seeded` in assembly.
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::size_t>((z ^ (z >> 31)) >> 1) % count;
  }
  [[nodiscard]] bool percent(std::size_t chance) { return below(100) < chance; }
  [[nodiscard]] bool exhausted() const { return !seeded_ && position_ >= bytes_.size(); }

 private:
  std::uint64_t state_ = 0;
  bool seeded_ = false;
  std::span<const std::uint8_t> bytes_;
  std::size_t position_ = 0;
};

}  // namespace pliant::fuzz
