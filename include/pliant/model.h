#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/dtype.h>
#include <pliant/result.h>

namespace pliant {

/// One axis of an input or output: a fixed extent, or a symbol that each run binds. An axis of an
/// output may also be an expression over symbols ("n * 2"), or unknown until a run has made it.
struct Dimension {
  std::optional<std::int64_t> extent;  ///< fixed extent, or empty
  std::string symbol;                  ///< the symbol or expression otherwise; empty: unknown
};

/// A declared input. Names are opaque bytes.
struct InputInfo {
  std::string name;
  DType dtype = DType::kF32;
  bool rank_known = true;        ///< false: any shape is accepted
  std::vector<Dimension> shape;  ///< if rank_known
  bool has_default = false;      ///< may be left out
};

/// An output, as far as the program says what it will be. Names are opaque bytes.
struct OutputInfo {
  std::string name;
  std::optional<DType> dtype;    ///< empty: it depends on the path that a run takes
  bool rank_known = false;       ///< false: the number of axes follows from a run
  std::vector<Dimension> shape;  ///< if rank_known
};

/// A verified program with its constants, ready to be loaded into a session, saved or printed.
/// Immutable; copying shares. Thread-safe.
class Model {
 public:
  /// Reads a file; the format follows from the extension: .onnx, .pasm (assembly), .pbc (bytecode,
  /// weights are mapped, not copied). Errors name the place: file:line:column, node, or byte
  /// offset. Codes: kIo, kCorrupt, kSyntax, kVerification, kUnsupported, kShapeMismatch,
  /// kResourceExhausted; kInvalidArgument for another extension.
  [[nodiscard]] static Result<Model> load(const std::string& path);

  /// Reads an ONNX model from memory. External data is refused.
  [[nodiscard]] static Result<Model> from_onnx(std::string_view bytes);

  /// Assembles text; `name` stands in messages.
  [[nodiscard]] static Result<Model> from_assembly(std::string_view text, const std::string& name);

  /// Writes bytecode. Whether an existing file is replaced is said by `existing`; the file is
  /// complete or absent afterwards, never half written.
  enum class Existing : std::uint8_t { kRefuse, kReplace };
  [[nodiscard]] Status save(const std::string& path, Existing existing) const;

  /// The program as assembly. Constants with more elements than `max_elements` are left out behind
  /// `...`, which does not assemble again.
  [[nodiscard]] std::string to_assembly(std::int64_t max_elements = INT64_MAX) const;

  [[nodiscard]] const std::vector<InputInfo>& inputs() const;
  [[nodiscard]] const std::vector<OutputInfo>& outputs() const;
  [[nodiscard]] std::size_t instruction_count() const;
  [[nodiscard]] std::size_t constant_bytes() const;

 private:
  friend class Session;
  struct State;
  explicit Model(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

}  // namespace pliant
