#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pliant::testing {

/// One field of a protobuf message as it stands on the wire.
struct WireField {
  int number = 0;
  enum class Kind : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 } kind{};
  std::uint64_t value = 0;  ///< kVarint, kFixed64, kFixed32
  std::string_view bytes;   ///< kBytes: a text, packed numbers or a message
};

/// The fields of a message in order, or empty when the bytes are not one. `bytes` must outlive them.
[[nodiscard]] std::optional<std::vector<WireField>> read_fields(std::string_view bytes);

/// All varints of a packed or repeated field.
[[nodiscard]] std::vector<std::uint64_t> read_varints(const std::vector<WireField>& fields,
                                                      int number);

/// Writes a message field by field.
class WireWriter {
 public:
  WireWriter& integer(int number, std::uint64_t value);
  WireWriter& real(int number, float value);
  WireWriter& bytes(int number, std::string_view value);
  /// A field as it was read.
  WireWriter& copy(const WireField& field);
  [[nodiscard]] const std::string& result() const { return result_; }

 private:
  void varint(std::uint64_t value);
  void tag(int number, WireField::Kind kind);

  std::string result_;
};

}  // namespace pliant::testing
