#include "onnx_file.h"

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace demo {

namespace {

// Protocol buffers, encoding side: a message is a list of fields; a field is a tag (number and wire
// type) and a value. Field numbers below are those of the ONNX standard (onnx.proto).
enum WireType : std::uint32_t { kVarint = 0, kBytes = 2, kFixed32 = 5 };

void append_varint(std::string& to, std::uint64_t value) {
  while (value >= 0x80) {
    to.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  to.push_back(static_cast<char>(value));
}

void append_tag(std::string& to, std::uint32_t field, WireType type) {
  append_varint(to, (field << 3) | type);
}

void append_integer(std::string& to, std::uint32_t field, std::int64_t value) {
  append_tag(to, field, kVarint);
  append_varint(to, static_cast<std::uint64_t>(value));
}

void append_float(std::string& to, std::uint32_t field, float value) {
  append_tag(to, field, kFixed32);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  to.append(reinterpret_cast<const char*>(&bits), sizeof bits);
}

void append_bytes(std::string& to, std::uint32_t field, std::string_view bytes) {
  append_tag(to, field, kBytes);
  append_varint(to, bytes.size());
  to.append(bytes);
}

std::string encode(const OnnxFile::Attribute& attribute) {
  constexpr std::int64_t kFloatType = 1;
  constexpr std::int64_t kIntegerType = 2;
  constexpr std::int64_t kIntegersType = 7;
  std::string message;
  append_bytes(message, 1, attribute.first);
  if (const auto* integer = std::get_if<std::int64_t>(&attribute.second)) {
    append_integer(message, 3, *integer);
    append_integer(message, 20, kIntegerType);
  } else if (const auto* number = std::get_if<float>(&attribute.second)) {
    append_float(message, 2, *number);
    append_integer(message, 20, kFloatType);
  } else {
    for (const std::int64_t value : std::get<std::vector<std::int64_t>>(attribute.second)) {
      append_integer(message, 8, value);
    }
    append_integer(message, 20, kIntegersType);
  }
  return message;
}

std::string encode_value_info(std::string_view name, OnnxFile::ElementType type,
                              const std::vector<OnnxFile::Dimension>& dimensions) {
  std::string shape;
  for (const OnnxFile::Dimension& dimension : dimensions) {
    std::string encoded;
    if (const auto* extent = std::get_if<std::int64_t>(&dimension)) {
      append_integer(encoded, 1, *extent);
    } else {
      append_bytes(encoded, 2, std::get<std::string>(dimension));
    }
    append_bytes(shape, 1, encoded);
  }
  std::string tensor_type;
  append_integer(tensor_type, 1, static_cast<std::int64_t>(type));
  append_bytes(tensor_type, 2, shape);
  std::string type_message;
  append_bytes(type_message, 1, tensor_type);
  std::string message;
  append_bytes(message, 1, name);
  append_bytes(message, 2, type_message);
  return message;
}

std::string encode_tensor_header(std::string_view name, OnnxFile::ElementType type,
                                 const std::vector<std::int64_t>& shape) {
  std::string message;
  for (const std::int64_t extent : shape) {
    append_integer(message, 1, extent);
  }
  append_integer(message, 2, static_cast<std::int64_t>(type));
  append_bytes(message, 8, name);
  return message;
}

constexpr std::uint32_t kRawDataField = 9;
constexpr std::uint32_t kInitializerField = 5;

/// Everything of a weight's field in the graph up to its elements.
std::string weight_prefix(std::string_view header, std::size_t byte_size) {
  std::string message(header);
  append_tag(message, kRawDataField, kBytes);
  append_varint(message, byte_size);
  std::string prefix;
  append_tag(prefix, kInitializerField, kBytes);
  append_varint(prefix, message.size() + byte_size);
  return prefix + message;
}

pliant::Error write_error(const std::string& path) {
  return {pliant::ErrorCode::kIo, std::string("cannot write: ") + std::strerror(errno), path};
}

}  // namespace

void OnnxFile::add_input(std::string_view name, ElementType type,
                         const std::vector<Dimension>& shape) {
  append_bytes(graph_, 11, encode_value_info(name, type, shape));
}

void OnnxFile::add_output(std::string_view name, ElementType type,
                          const std::vector<Dimension>& shape) {
  append_bytes(graph_, 12, encode_value_info(name, type, shape));
}

void OnnxFile::add_node(std::string_view operator_name, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs,
                        const std::vector<Attribute>& attributes) {
  std::string message;
  for (const std::string& input : inputs) {
    append_bytes(message, 1, input);
  }
  for (const std::string& output : outputs) {
    append_bytes(message, 2, output);
  }
  append_bytes(message, 3, outputs.front());
  append_bytes(message, 4, operator_name);
  for (const Attribute& attribute : attributes) {
    append_bytes(message, 5, encode(attribute));
  }
  append_bytes(graph_, 1, message);
}

void OnnxFile::add_constant(std::string_view name, const std::vector<std::int64_t>& shape,
                            const std::vector<std::int64_t>& values) {
  std::string message = encode_tensor_header(name, ElementType::kI64, shape);
  append_bytes(
      message, kRawDataField,
      {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::int64_t)});
  append_bytes(graph_, kInitializerField, message);
}

void OnnxFile::add_constant(std::string_view name, float value) {
  std::string message = encode_tensor_header(name, ElementType::kF32, {});
  append_bytes(message, kRawDataField, {reinterpret_cast<const char*>(&value), sizeof value});
  append_bytes(graph_, kInitializerField, message);
}

void OnnxFile::add_weight(std::string_view name, const std::vector<std::int64_t>& shape,
                          std::function<std::vector<float>()> make) {
  std::size_t byte_size = sizeof(float);
  for (const std::int64_t extent : shape) {
    byte_size *= static_cast<std::size_t>(extent);
  }
  weights_.push_back(
      {encode_tensor_header(name, ElementType::kF32, shape), byte_size, std::move(make)});
}

pliant::Status OnnxFile::write(const std::string& path, std::int64_t opset) const {
  std::size_t graph_bytes = graph_.size();
  for (const Weight& weight : weights_) {
    graph_bytes += weight_prefix(weight.header, weight.byte_size).size() + weight.byte_size;
  }
  std::string model;
  append_integer(model, 1, 8);  // ir_version
  append_bytes(model, 2, "pliant_demo");
  std::string opset_message;
  append_integer(opset_message, 2, opset);
  append_bytes(model, 8, opset_message);
  append_tag(model, 7, kBytes);
  append_varint(model, graph_bytes);

  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"),
                                                             &std::fclose);
  if (file == nullptr) {
    return write_error(path);
  }
  const auto put = [&](const void* data, std::size_t size) {
    return std::fwrite(data, 1, size, file.get()) == size;
  };
  bool written = put(model.data(), model.size()) && put(graph_.data(), graph_.size());
  for (const Weight& weight : weights_) {
    const std::string prefix = weight_prefix(weight.header, weight.byte_size);
    const std::vector<float> values = weight.make();
    written = written && put(prefix.data(), prefix.size()) && put(values.data(), weight.byte_size);
  }
  if (!written || std::fflush(file.get()) != 0) {
    return write_error(path);
  }
  return {};
}

}  // namespace demo
