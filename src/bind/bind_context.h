#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/cpu_features.h"
#include "base/function_ref.h"
#include "bind/packed_constants.h"
#include "isa/info.h"
#include "isa/operand.h"
#include "kernels/kernel_call.h"
#include "tensor/view.h"

namespace pliant::bind {

struct EpilogueRequest;

/// What an operator is given to bind one instruction: operands as views and numbers, results whose
/// type and shape are known. Whoever runs programs (interpreter, plan) fills it and owns all
/// memory.
///
/// Operands are named by their position in the row: context.input(isa::MatMul::lhs).
class BindContext {
 public:
  /// A tensor operand. `constant` says that its elements never change, so packed forms may be kept.
  struct Input {
    TensorView view;
    bool constant = false;
    bool must_be_contiguous = false;  ///< set by require_contiguous()
  };
  /// A tensor result; strides are row-major until set_strides().
  struct Output {
    TensorView view;
    bool wanted = true;  ///< false for dropped or absent results: write nothing
  };

  // ---- for operators ----
  [[nodiscard]] const isa::Instruction& instruction() const { return *instruction_; }
  [[nodiscard]] isa::Opcode opcode() const { return instruction_->opcode; }
  [[nodiscard]] bool given(int operand) const { return this->operand(operand).given(); }
  [[nodiscard]] const isa::Operand& operand(int index) const {
    return instruction_->operands[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] const TensorView& input(int operand) const { return inputs(operand)[0].view; }
  [[nodiscard]] bool is_constant(int operand) const { return inputs(operand)[0].constant; }
  [[nodiscard]] std::span<const Input> inputs(int operand) const;  ///< TensorUses: all of the list
  /// All given tensor inputs in order, for operators shared by rows of different arity.
  [[nodiscard]] std::span<const Input> all_inputs() const { return inputs_; }
  [[nodiscard]] const TensorView& output(int operand, int part = 0) const {
    return outputs(operand)[static_cast<std::size_t>(part)].view;
  }
  [[nodiscard]] bool wanted(int operand) const { return outputs(operand)[0].wanted; }
  [[nodiscard]] std::span<const Output> outputs(int operand) const;

  [[nodiscard]] std::int64_t integer(int operand) const { return this->operand(operand).number; }
  [[nodiscard]] double real(int operand) const { return this->operand(operand).real; }
  [[nodiscard]] bool flag(int operand) const { return this->operand(operand).number != 0; }
  template <class Set>
  [[nodiscard]] Set choice(int operand) const {
    return static_cast<Set>(this->operand(operand).number);
  }
  [[nodiscard]] std::vector<std::int64_t> integers(
      int operand) const;  ///< Integers; empty if absent
  /// Sizes and Size with their run-time values; Numbers likewise. Empty if absent.
  [[nodiscard]] std::span<const std::int64_t> sizes(int operand) const;
  [[nodiscard]] std::int64_t size(int operand) const { return sizes(operand)[0]; }
  [[nodiscard]] std::span<const double> numbers(int operand) const;

  [[nodiscard]] CpuLevel level() const { return level_; }
  [[nodiscard]] int worker_count() const { return worker_count_; }
  /// Number of this run and of the instruction, for counter-based random numbers.
  [[nodiscard]] std::uint64_t run_number() const { return run_number_; }
  [[nodiscard]] std::uint64_t instruction_number() const { return instruction_number_; }

  // ---- in layout() ----
  void require_contiguous(int operand);  ///< all tensors of the operand
  void set_strides(int output_operand, const Strides& strides, int part = 0);
  /// Scratch memory for the call, 64-byte aligned; several requests add up to the largest.
  void set_scratch_bytes(std::size_t bytes);

  /// True when packed() will keep a form of this input; otherwise packing needs scratch memory.
  [[nodiscard]] bool keeps_packed(int operand) const {
    return packed_ != nullptr && is_constant(operand);
  }

  // ---- in bind() ----
  kernels::KernelCall call;
  /// A form of a constant input that is made once and kept for the life of the program, for example
  /// a weight in panels. Null when the input is not constant; then pack into scratch. `format`
  /// names the form and everything that it depends on besides the view and its strides.
  [[nodiscard]] const std::byte* packed(int operand, std::string_view format, std::size_t bytes,
                                        FunctionRef<void(std::byte*)> fill);

  /// Elementwise work to run on the result while it is in cache, or null. An operator that does so
  /// says take_epilogue(); any other leaves it alone, and the caller runs the group afterwards.
  [[nodiscard]] const EpilogueRequest* epilogue() const { return epilogue_; }
  void take_epilogue() { epilogue_taken_ = true; }

  // ---- in view() ----
  void set_view(int output_operand, const Strides& strides, std::int64_t offset_elements,
                int part = 0);

 private:
  friend class BindContextFiller;

  struct Slot {
    int first = -1;
    int count = 0;
  };
  const isa::Instruction* instruction_ = nullptr;
  InlineVector<Slot, 24> tensor_slots_;  // per operand: where in inputs_ or outputs_
  InlineVector<Slot, 24> value_slots_;   // per operand: where in sizes_ or numbers_
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<std::int64_t> sizes_;
  std::vector<double> numbers_;
  std::size_t scratch_bytes_ = 0;
  CpuLevel level_ = CpuLevel::kPortable;
  int worker_count_ = 1;
  std::uint64_t run_number_ = 0;
  std::uint64_t instruction_number_ = 0;
  PackedConstants* packed_ = nullptr;
  const EpilogueRequest* epilogue_ = nullptr;
  bool epilogue_taken_ = false;
};

/// The other side of a BindContext: for the interpreter, plans and tests, which fill it. One object
/// is reused from instruction to instruction.
class BindContextFiller {
 public:
  explicit BindContextFiller(BindContext& context) : context_(context) {}

  /// Forgets everything and starts with this instruction; `packed` may be null (nothing is kept).
  void begin(const isa::Instruction& instruction, CpuLevel level, int worker_count,
             PackedConstants* packed);
  void set_numbers(std::uint64_t run, std::uint64_t instruction);
  /// Call in the order of the row's operands, once per tensor.
  void add_input(int operand, const TensorView& view, bool constant);
  void add_output(int operand, DType dtype, const Shape& shape, bool wanted);
  void add_sizes(int operand, std::span<const std::int64_t> values);
  void add_numbers(int operand, std::span<const double> values);
  /// Before bind(), see bind/elementwise_group.h. begin() forgets it.
  void request_epilogue(const EpilogueRequest& request) { context_.epilogue_ = &request; }
  /// After bind(): whether the call runs the requested group.
  [[nodiscard]] bool epilogue_taken() const { return context_.epilogue_taken_; }

  [[nodiscard]] std::vector<BindContext::Input>& inputs() { return context_.inputs_; }
  [[nodiscard]] std::vector<BindContext::Output>& outputs() { return context_.outputs_; }
  [[nodiscard]] std::size_t scratch_bytes() const { return context_.scratch_bytes_; }

 private:
  BindContext& context_;
};

}  // namespace pliant::bind
