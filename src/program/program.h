#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pliant/dtype.h>
#include <pliant/model.h>

#include "isa/operand.h"
#include "tensor/stored_tensor.h"

namespace pliant {

/// One extent of a declared input: a number, or a symbol that is bound when a run starts.
struct InputExtent {
  enum class Kind : std::uint8_t { kNumber, kSymbol };
  Kind kind = Kind::kNumber;
  std::int64_t value = 0;  ///< the number, or an index into Program::symbols

  friend bool operator==(const InputExtent&, const InputExtent&) = default;
};

struct InputDeclaration {
  std::string name;  ///< opaque bytes
  DType dtype = DType::kF32;
  std::vector<InputExtent> shape;
  bool rank_known = true;               ///< false: any shape is accepted (`f32[...]`)
  std::optional<int> default_constant;  ///< used when the caller gives no value
};

struct OutputDeclaration {
  std::string name;                      ///< opaque bytes
  std::optional<OutputInfo> found = {};  ///< what the verifier found out about it
};

/// Values that a program carries: either bytes, or `seeded(n)`, which says how to make them.
struct Constant {
  std::string name;                   ///< unique among constants
  StoredTensor value;                 ///< row-major; storage is constant
  std::optional<std::uint64_t> seed;  ///< made by seeded_values(); kept so that text stays short
};

enum class RegisterKind : std::uint8_t { kTensor, kSize };

struct RegisterInfo {
  RegisterKind kind = RegisterKind::kTensor;
  // Tensors: filled in by the verifier.
  std::optional<DType> dtype;
  std::optional<std::size_t>
      rank;  ///< if it is known, and the same wherever the register is written
};

/// Where an instruction came from, for messages.
struct Place {
  int line = 0;        ///< 1-based line of the assembly text, 0 if there is none
  int column = 0;      ///< 1-based
  std::string origin;  ///< what it was imported from: "node 'conv1' (Conv)"
};

/// A program in memory: flat instructions over registers, with typed inputs, outputs, constants and
/// named size symbols. Plain data; anything may be in it until the verifier has seen it.
struct Program {
  std::string source;  ///< file name for messages, may be empty
  std::vector<std::string> symbols;
  std::vector<InputDeclaration> inputs;
  std::vector<OutputDeclaration> outputs;
  std::vector<Constant> constants;
  std::vector<RegisterInfo> registers;
  std::vector<isa::Instruction> instructions;
  std::vector<Place> places;  ///< one per instruction

  /// "model.pasm:12:8", "node 'conv1' (Conv)" or "instruction 7 (MATMUL)".
  [[nodiscard]] std::string describe(std::size_t instruction) const;
};

/// A program that verify::verify() has accepted: every index is in range, registers are defined
/// before they are read on every path, kinds, types and (where known) shapes fit. Only this runs.
class VerifiedProgram {
 public:
  [[nodiscard]] const Program& operator*() const { return *program_; }
  [[nodiscard]] const Program* operator->() const { return program_.get(); }

  /// For the verifier alone.
  struct Proof;
  VerifiedProgram(std::shared_ptr<const Program> program, const Proof&)
      : program_(std::move(program)) {}

 private:
  std::shared_ptr<const Program> program_;
};

/// Storage of constants: memory of our own, 64-byte aligned.
[[nodiscard]] std::shared_ptr<Storage> make_constant_storage(std::size_t byte_size);
/// Storage of constants: a part of something that `owner` keeps alive, for example a mapped file.
[[nodiscard]] std::shared_ptr<Storage> adopt_constant_storage(std::shared_ptr<const void> owner,
                                                              const void* data,
                                                              std::size_t byte_size);
/// A row-major constant with memory of its own; fill it through view.data before sharing it.
/// The shape's element count must have been checked.
[[nodiscard]] StoredTensor make_constant(DType dtype, const Shape& shape);

/// Fills an f32 constant with splitmix64(seed), mapped to [-1, 1) and divided by the square root of
/// the fan-in (the product of all extents but the last, at least 1). `seeded(n)` in assembly.
void fill_seeded(const TensorView& view, std::uint64_t seed);

}  // namespace pliant
