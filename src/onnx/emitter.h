#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "onnx/known_values.h"
#include "program/builder.h"

namespace pliant::onnx {

using isa::Operand;

/// Appends instructions to a program and keeps, for every register, what is known about its tensor:
/// converters choose instructions by ranks and element types.
///
/// The first error sticks: later calls do nothing and return registers that nobody will read, so
/// converters read as straight lines and their caller looks at status() once per node.
class Emitter {
 public:
  using Fields = std::vector<Builder::Field>;

  explicit Emitter(std::string source);
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  /// Appends an instruction whose first operand is its one result; returns the result.
  Operand emit(isa::Opcode opcode, std::vector<Operand> operands, Fields fields = {});
  /// Appends an instruction with all its operands, results included (new registers, or absent).
  void emit_with_results(isa::Opcode opcode, std::vector<Operand> operands, Fields fields = {});
  Operand new_tensor();
  /// One extent of a tensor: a number if it is known, else a size register.
  Operand extent(const Operand& tensor, std::int64_t axis);
  /// SIZE_MUL, SIZE_DIV and their like.
  Operand size(isa::Opcode opcode, const Operand& lhs, const Operand& rhs);

  /// Declares an input and loads it.
  Operand add_input(InputDeclaration declaration);
  void add_output(const std::string& name, const Operand& value);
  /// Number of the symbol with this name, new or not.
  int symbol(const std::string& name);
  int add_constant(std::string name, StoredTensor value);
  /// A constant without axes; equal ones are one.
  Operand scalar(DType dtype, double value);
  /// A constant i64 vector.
  Operand vector(const std::vector<std::int64_t>& values);

  [[nodiscard]] DType dtype(const Operand& value) const;
  /// Extents as far as known; empty when not even the rank is.
  [[nodiscard]] std::optional<semantics::ExtentShape> shape(const Operand& value) const;
  [[nodiscard]] std::optional<int> rank(const Operand& value) const;
  /// The elements behind a constant operand, or null.
  [[nodiscard]] const TensorView* constant(const Operand& value) const;
  /// Elements of an integer constant, or empty.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> constant_integers(
      const Operand& value) const;

  void set_origin(std::string origin);
  void fail(Error error);
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  [[nodiscard]] Status status() const;
  [[nodiscard]] Program take() { return builder_.take(); }

 private:
  void infer(const isa::Instruction& instruction);

  Builder builder_;
  KnownValues known_;
  std::string origin_;
  std::map<std::pair<DType, std::uint64_t>, Operand> scalars_;  // by type and bits of the value
  std::unordered_map<std::string, int> symbols_;
  std::optional<Error> error_;
};

}  // namespace pliant::onnx
