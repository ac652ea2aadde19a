#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <pliant/result.h>

namespace demo {

/// Writes ONNX model files: just enough of the format for the demo, without any library, so that
/// the file which Pliant reads was not made by code that Pliant reads files with.
class OnnxFile {
 public:
  using Attribute =
      std::pair<std::string, std::variant<std::int64_t, float, std::vector<std::int64_t>>>;
  /// An extent, or the name of a symbol.
  using Dimension = std::variant<std::int64_t, std::string>;
  /// Numbers of ONNX's TensorProto.DataType.
  enum class ElementType : std::uint8_t { kF32 = 1, kI64 = 7 };

  void add_input(std::string_view name, ElementType type, const std::vector<Dimension>& shape);
  void add_output(std::string_view name, ElementType type, const std::vector<Dimension>& shape);
  void add_node(std::string_view operator_name, const std::vector<std::string>& inputs,
                const std::vector<std::string>& outputs,
                const std::vector<Attribute>& attributes = {});
  void add_constant(std::string_view name, const std::vector<std::int64_t>& shape,
                    const std::vector<std::int64_t>& values);
  void add_constant(std::string_view name, float value);

  /// A constant whose elements are made only when the file is written: models are large.
  void add_weight(std::string_view name, const std::vector<std::int64_t>& shape,
                  std::function<std::vector<float>()> make);

  /// Writes the model with one graph and the given opset. Errors: kIo.
  [[nodiscard]] pliant::Status write(const std::string& path, std::int64_t opset) const;

 private:
  struct Weight {
    std::string header;  ///< encoded dims, type and name
    std::size_t byte_size;
    std::function<std::vector<float>()> make;
  };

  std::string graph_;  ///< encoded fields of GraphProto but for the weights
  std::vector<Weight> weights_;
};

}  // namespace demo
