#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pliant::bytecode {

// What format.md draws.

static_assert(std::endian::native == std::endian::little,
              "numbers are stored as they are in memory");

/// Versions. A reader takes files up to kVersion; each line says what a version added.
///   1  first release
inline constexpr std::uint32_t kVersion = 1;

/// Starts with a byte above 127 and has both line ends, so that transfers as text are noticed.
inline constexpr std::array<unsigned char, 8> kMagic = {0x89, 'P',  'B',  'C',
                                                        '\r', '\n', 0x1a, '\n'};

/// Constants start at multiples of this, which suits vector loads and cache lines.
inline constexpr std::size_t kAlignment = 64;

struct Header {
  std::array<unsigned char, 8> magic;
  std::uint32_t version;
  std::uint32_t reserved;           ///< 0
  std::uint64_t description_bytes;  ///< directly behind the header
  std::uint64_t data_offset;        ///< multiple of kAlignment
  std::uint64_t data_bytes;         ///< up to the end of the file
  std::uint64_t checksum;           ///< of the description; 0: not checked
  std::array<std::uint64_t, 2> reserved_words;
};
static_assert(sizeof(Header) == 64);

/// How the origin of an instruction is stored.
enum class OriginForm : std::uint8_t { kNone, kSameAsBefore, kText };

/// FNV-1a, 64 bits (Fowler, Noll, Vo); 0 becomes 1.
[[nodiscard]] inline std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::byte byte : bytes) {
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
  }
  return hash == 0 ? 1 : hash;
}

[[nodiscard]] inline std::uint64_t round_up(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace pliant::bytecode
