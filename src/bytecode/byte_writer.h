#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace pliant::bytecode {

/// Appends numbers and strings in the encodings of format.md.
class ByteWriter {
 public:
  void byte(std::uint8_t value) { bytes_.push_back(static_cast<std::byte>(value)); }

  /// Seven bits a byte, low ones first; the high bit says that more follow (LEB128).
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
      byte(static_cast<std::uint8_t>(value | 0x80));
    }
    byte(static_cast<std::uint8_t>(value));
  }
  void count(std::size_t value) { number(value); }

  /// 0, -1, 1, -2, … as 0, 1, 2, 3, …
  void signed_number(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    number((bits << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0));
  }

  void real(double value) { raw(&value, sizeof(value)); }

  void text(std::string_view value) {
    count(value.size());
    raw(value.data(), value.size());
  }

  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void raw(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }

  std::vector<std::byte> bytes_;
};

}  // namespace pliant::bytecode
