#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/cpu_features.h"
#include "base/result.h"
#include "isa/info.h"
#include "tensor/dtype.h"
#include "tensor/stored_tensor.h"
#include "threads/parallel_for.h"

namespace pliant::testing {

/// A row-major tensor with these values; `T` gives the element type (use Half for f16, …).
template <class T>
[[nodiscard]] StoredTensor tensor_of(const Shape& shape, const std::vector<T>& values);
/// Uninitialised row-major tensor.
[[nodiscard]] StoredTensor new_tensor(DType dtype, const Shape& shape);
/// f32 values in [-1, 1) that depend on the seed alone.
[[nodiscard]] StoredTensor random_tensor(const Shape& shape, std::uint64_t seed);
/// The same elements behind other strides: axes in memory order `order`, for testing kernels with
/// strided inputs. The view's shape stays.
[[nodiscard]] StoredTensor with_memory_order(const StoredTensor& tensor,
                                             std::span<const int> order);
/// The elements in row-major order.
template <class T>
[[nodiscard]] std::vector<T> values_of(const TensorView& view);

/// Runs one Compute or View instruction the way the interpreter does: infer, layout, bind, check,
/// run. Tensors are written where registers stand:
///
///   OneInstruction run(isa::Opcode::kMatMul);
///   run.tensor("lhs", a).tensor("rhs", b).set("transpose_rhs", isa::flag(true));
///   Result<std::vector<StoredTensor>> results = run();
///
/// Results come in the order of the row's definitions (parts of a TensorDefs one by one).
class OneInstruction {
 public:
  explicit OneInstruction(isa::Opcode opcode);

  OneInstruction& tensor(std::string_view field, StoredTensor value);
  /// TensorUses.
  OneInstruction& tensors(std::string_view field, std::vector<StoredTensor> values);
  /// Any operand that is not a tensor; Sizes as isa::numbers(std::vector{…}) or with tensor().
  OneInstruction& set(std::string_view field, isa::Operand value);
  /// Asks for an optional result, or for `count` parts of a TensorDefs.
  OneInstruction& want(std::string_view field, int count = 1);
  OneInstruction& at_level(CpuLevel level);
  OneInstruction& on(ParallelFor& parallel);
  /// Treats tensor operands as constants, so packed forms are kept and used.
  OneInstruction& with_constants();

  [[nodiscard]] Result<std::vector<StoredTensor>> operator()();

  /// With registers numbered in the order of tensor() calls.
  [[nodiscard]] const isa::Instruction& instruction() const { return instruction_; }

 private:
  int position(std::string_view field) const;

  isa::Instruction instruction_;
  std::vector<StoredTensor> values_;  // registers
  CpuLevel level_;
  ParallelFor* parallel_ = nullptr;
  bool constants_ = false;
};

// ---- templates ----

template <class T>
StoredTensor tensor_of(const Shape& shape, const std::vector<T>& values) {
  StoredTensor tensor = new_tensor(kDTypeOf<T>, shape);
  PLIANT_CHECK_EQ(tensor.view.element_count(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    tensor.view.as<T>()[i] = values[i];
  }
  return tensor;
}

template <class T>
std::vector<T> values_of(const TensorView& view) {
  PLIANT_CHECK(view.dtype == kDTypeOf<T>);
  std::vector<T> values;
  const std::int64_t count = view.element_count();
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i;
    std::int64_t offset = 0;
    for (std::size_t axis = view.shape.size(); axis-- > 0;) {
      offset += rest % view.shape[axis] * view.strides[axis];
      rest /= view.shape[axis];
    }
    values.push_back(view.as<T>()[offset]);
  }
  return values;
}

}  // namespace pliant::testing
