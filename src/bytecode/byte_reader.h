#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <pliant/result.h>

#include "base/result.h"
#include "program/limits.h"

namespace pliant::bytecode {

/// Reads what ByteWriter wrote from bytes that nobody has checked. Errors name the offset in the
/// file.
class ByteReader {
 public:
  /// `file_offset` is where `bytes` start in the file.
  ByteReader(std::span<const std::byte> bytes, std::size_t file_offset)
      : bytes_(bytes), file_offset_(file_offset) {}

  [[nodiscard]] std::size_t remaining() const { return bytes_.size() - position_; }

  Result<std::uint8_t> byte() {
    if (remaining() == 0) {
      return error("the description ends too early");
    }
    return static_cast<std::uint8_t>(bytes_[position_++]);
  }

  Result<std::uint64_t> number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      PLIANT_ASSIGN_OR_RETURN(const std::uint8_t bits, byte());
      const std::uint64_t part = bits & 0x7fu;
      if (shift == 63 && part > 1) {
        break;
      }
      value |= part << shift;
      if ((bits & 0x80u) == 0) {
        return value;
      }
    }
    return error("a number does not fit into 64 bits");
  }

  Result<std::int64_t> signed_number() {
    PLIANT_ASSIGN_OR_RETURN(const std::uint64_t bits, number());
    return static_cast<std::int64_t>((bits >> 1) ^ ((bits & 1) != 0 ? ~std::uint64_t{0} : 0));
  }

  /// A number below `limit`; `what` is a static word for the message.
  Result<std::int64_t> index(std::uint64_t limit, std::string_view what) {
    PLIANT_ASSIGN_OR_RETURN(const std::uint64_t value, number());
    if (value >= limit) {
      return error(fmt::format("{} out of range: {} of {}", what, value, limit));
    }
    return static_cast<std::int64_t>(value);
  }

  /// How many items follow. Each takes a byte at least, so a count that the bytes at hand cannot
  /// hold is refused before anything is allocated for it.
  Result<std::size_t> count(std::int64_t limit, std::string_view what) {
    PLIANT_ASSIGN_OR_RETURN(const std::uint64_t value, number());
    if (value > remaining()) {
      return error(fmt::format("more {} than the file has bytes: {}", what, value));
    }
    if (value > static_cast<std::uint64_t>(limit)) {
      return Error{ErrorCode::kResourceExhausted,
                   fmt::format("too many {}: {}, at most {}", what, value, limit), place()};
    }
    return static_cast<std::size_t>(value);
  }

  Result<double> real() {
    double value = 0;
    if (remaining() < sizeof(value)) {
      return error("the description ends too early");
    }
    std::memcpy(&value, bytes_.data() + position_, sizeof(value));
    position_ += sizeof(value);
    return value;
  }

  Result<std::string> text() {
    PLIANT_ASSIGN_OR_RETURN(const std::size_t size,
                            count(static_cast<std::int64_t>(kMaxNameBytes), "bytes in a name"));
    std::string value(reinterpret_cast<const char*>(bytes_.data()) + position_, size);
    position_ += size;
    return value;
  }

  [[nodiscard]] Error error(std::string message) const {
    return {ErrorCode::kCorrupt, std::move(message), place()};
  }

 private:
  [[nodiscard]] std::string place() const {
    return fmt::format("byte {}", file_offset_ + position_);
  }

  std::span<const std::byte> bytes_;
  std::size_t file_offset_;
  std::size_t position_ = 0;
};

}  // namespace pliant::bytecode
