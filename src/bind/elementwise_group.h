#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "base/inline_vector.h"
#include "bind/bind_context.h"
#include "isa/operand.h"
#include "kernels/elementwise/chain.h"

namespace pliant::bind {

/// Elementwise instructions (CAST, CLIP and SELECT among them) that run as one pass over memory,
/// with the bits that they have one after the other. Immutable; any thread may bind it.
class ElementwiseGroup {
 public:
  /// One instruction. Its operands and results are not looked at, only its row and its attributes.
  struct Member {
    const isa::Instruction* instruction = nullptr;
    /// One value per given tensor input, in the row's order (an absent bound of CLIP has none).
    /// Values are numbered: the operands of the group first, then the members in order.
    InlineVector<int, kernels::kMaxElementwiseInputs> sources;
  };

  /// `members` come in an order in which each uses earlier ones. `results` are members whose value
  /// is kept, 1 to kernels::kMaxChainResults different ones.
  ///
  /// Empty when this cannot be a group: a row that is not elementwise or has no loop for its types,
  /// too many operands, members or values alive at the same time. Instructions are not needed
  /// afterwards.
  [[nodiscard]] static std::optional<ElementwiseGroup> make(std::span<const Member> members,
                                                            std::span<const DType> operand_types,
                                                            std::span<const int> results,
                                                            CpuLevel level);

  [[nodiscard]] int operand_count() const { return chain_->operand_count(); }
  [[nodiscard]] int result_count() const { return chain_->result_count(); }
  [[nodiscard]] DType result_type(int result) const { return chain_->result_type(result); }

  /// Strides for results of `shape`: the memory order of the first operand of that shape.
  [[nodiscard]] static Strides strides(std::span<const TensorView> operands, const Shape& shape);

  /// Operands broadcast to the shape of the results, which is the same for all of them (one-element
  /// operands may have any rank). A result may have the memory of an operand if strides and sizes
  /// of elements are equal. The call borrows from the group. Empty results leave `call` empty.
  void bind(kernels::KernelCall& call, std::span<const TensorView> operands,
            std::span<const TensorView> results) const;

  [[nodiscard]] const kernels::Chain& chain() const { return *chain_; }
  [[nodiscard]] std::size_t byte_size() const { return sizeof *this + chain_->byte_size(); }

 private:
  explicit ElementwiseGroup(std::unique_ptr<const kernels::Chain> chain)
      : chain_(std::move(chain)) {}

  std::unique_ptr<const kernels::Chain> chain_;  // calls point to it; it stays when a group moves
};

/// A group that a product is asked to run on each piece of its result while it is in cache. The
/// request and what it points to live until bind() has returned, the group as long as the call.
struct EpilogueRequest {
  const ElementwiseGroup* group = nullptr;
  /// Of the group. The first is the product; what is given for it here is not looked at. The others
  /// must not share memory with the product.
  std::span<const TensorView> operands;
  /// Of the group, of the shape of the product. One of them may have the memory of the product or of
  /// another operand, as in ElementwiseGroup::bind, but none that of the product's own inputs.
  std::span<const TensorView> results;
};

}  // namespace pliant::bind
