#include "support/protobuf_wire.h"

#include <cstring>

namespace pliant::testing {
namespace {

std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      return value;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> take_fixed(std::string_view& bytes, std::size_t size) {
  if (bytes.size() < size) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), size);
  bytes.remove_prefix(size);
  return value;
}

std::optional<WireField> take_field(std::string_view& bytes) {
  const auto tag = take_varint(bytes);
  if (!tag) {
    return std::nullopt;
  }
  WireField field;
  field.number = static_cast<int>(*tag >> 3);
  field.kind = static_cast<WireField::Kind>(*tag & 7);
  std::optional<std::uint64_t> value;
  if (field.kind == WireField::Kind::kFixed64 || field.kind == WireField::Kind::kFixed32) {
    value = take_fixed(bytes, field.kind == WireField::Kind::kFixed64 ? 8 : 4);
  } else if (field.kind == WireField::Kind::kVarint || field.kind == WireField::Kind::kBytes) {
    value = take_varint(bytes);
  }
  if (!value) {
    return std::nullopt;
  }
  if (field.kind == WireField::Kind::kBytes) {
    if (*value > bytes.size()) {
      return std::nullopt;
    }
    field.bytes = bytes.substr(0, *value);
    bytes.remove_prefix(*value);
  } else {
    field.value = *value;
  }
  return field;
}

}  // namespace

std::optional<std::vector<WireField>> read_fields(std::string_view bytes) {
  std::vector<WireField> fields;
  while (!bytes.empty()) {
    const auto field = take_field(bytes);
    if (!field) {
      return std::nullopt;
    }
    fields.push_back(*field);
  }
  return fields;
}

std::vector<std::uint64_t> read_varints(const std::vector<WireField>& fields, int number) {
  std::vector<std::uint64_t> values;
  for (const WireField& field : fields) {
    if (field.number != number) {
      continue;
    }
    if (field.kind == WireField::Kind::kVarint) {
      values.push_back(field.value);
      continue;
    }
    std::string_view packed = field.bytes;
    while (!packed.empty()) {
      const auto value = take_varint(packed);
      if (!value) {
        break;
      }
      values.push_back(*value);
    }
  }
  return values;
}

void WireWriter::varint(std::uint64_t value) {
  while (value >= 0x80) {
    result_ += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  result_ += static_cast<char>(value);
}

void WireWriter::tag(int number, WireField::Kind kind) {
  varint(static_cast<std::uint64_t>(number) << 3 | static_cast<std::uint64_t>(kind));
}

WireWriter& WireWriter::integer(int number, std::uint64_t value) {
  tag(number, WireField::Kind::kVarint);
  varint(value);
  return *this;
}

WireWriter& WireWriter::real(int number, float value) {
  tag(number, WireField::Kind::kFixed32);
  char raw[sizeof(value)];
  std::memcpy(raw, &value, sizeof(value));
  result_.append(raw, sizeof(raw));
  return *this;
}

WireWriter& WireWriter::bytes(int number, std::string_view value) {
  tag(number, WireField::Kind::kBytes);
  varint(value.size());
  result_ += value;
  return *this;
}

WireWriter& WireWriter::copy(const WireField& field) {
  if (field.kind == WireField::Kind::kBytes) {
    return bytes(field.number, field.bytes);
  }
  tag(field.number, field.kind);
  if (field.kind == WireField::Kind::kVarint) {
    varint(field.value);
  } else {
    char raw[sizeof(field.value)];
    std::memcpy(raw, &field.value, sizeof(raw));
    result_.append(raw, field.kind == WireField::Kind::kFixed64 ? 8 : 4);
  }
  return *this;
}

}  // namespace pliant::testing
