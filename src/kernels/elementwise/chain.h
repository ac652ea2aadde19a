#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/inline_vector.h"
#include "kernels/elementwise/elementwise.h"

// Several elementwise functions in one pass over memory. A strip of elements goes through all links
// before the next one begins, so what passes between links stays in the first-level cache.

namespace pliant::kernels {

inline constexpr int kMaxChainLinks = 16;
inline constexpr int kMaxChainOperands = 12;
inline constexpr int kMaxChainResults = 4;
/// What is alive at the same time within a strip, and what is there at all, conversions included.
inline constexpr int kMaxChainBuffers = 16;
inline constexpr int kMaxChainValues = 64;
inline constexpr std::int64_t kChainBufferBytes = 4096;

/// One function of a chain.
struct ChainLink {
  ElementwiseLoop loop;
  DType result = DType::kF32;  ///< 16-bit floats are rounded to this after the link
  /// Values: operands of the chain first, then its links in order. As many as the loop has inputs.
  int inputs[kMaxElementwiseInputs] = {};
  double alpha = 0;
  double beta = 0;
};

/// Links in the form in which they run: conversions are steps of their own, and every value has a
/// place in one of few buffers. Immutable; owned by whoever runs it often.
class Chain {
 public:
  /// A chain over operands of these types. `results` are the links whose values are stored, each at
  /// most once. Links may only use earlier values. Empty when a limit above is passed.
  [[nodiscard]] static std::optional<Chain> make(std::span<const DType> operand_types,
                                                 std::span<const ChainLink> links,
                                                 std::span<const int> results, CpuLevel level);

  [[nodiscard]] int operand_count() const { return static_cast<int>(operands_.size()); }
  [[nodiscard]] int result_count() const { return static_cast<int>(results_.size()); }
  [[nodiscard]] DType operand_type(int operand) const {
    return operands_[static_cast<std::size_t>(operand)].dtype;
  }
  [[nodiscard]] DType result_type(int result) const {
    return results_[static_cast<std::size_t>(result)].dtype;
  }
  [[nodiscard]] std::size_t byte_size() const {
    return sizeof *this + steps_.capacity() * sizeof(Step);
  }

  // ---- for the kernel ----
  /// A call of a loop, or, without one, the place where an operand is first needed.
  struct Step {
    DenseLoop run = nullptr;
    double alpha = 0;
    double beta = 0;
    std::int8_t input_count = 0;
    std::int8_t inputs[kMaxElementwiseInputs] = {};  ///< values: operands first
    std::int8_t input_bytes[kMaxElementwiseInputs] = {};
    std::int8_t value = 0;  ///< what this step makes or loads
    std::int8_t buffer = 0;
    std::int8_t result = -1;  ///< which result of the chain it is, or -1
    std::int8_t bytes = 0;    ///< of an element of the value
    bool takes_single = false;
  };
  /// Operand or result.
  struct End {
    DType dtype = DType::kF32;
    int bytes = 0;  ///< of an element
    int step = 0;   ///< operand: the last that reads it; result: the one that makes it
    int value = 0;
  };
  [[nodiscard]] std::span<const Step> steps() const { return steps_; }
  [[nodiscard]] const End& operand(int index) const {
    return operands_[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] const End& result(int index) const {
    return results_[static_cast<std::size_t>(index)];
  }
  /// How long strips are at most: so that the largest elements fill a buffer.
  [[nodiscard]] std::int64_t strip_length() const { return strip_length_; }
  [[nodiscard]] int buffer_count() const { return buffer_count_; }

 private:
  friend class ChainBuilder;

  std::vector<Step> steps_;
  InlineVector<End, kMaxChainOperands> operands_;
  InlineVector<End, kMaxChainResults> results_;
  std::int64_t strip_length_ = 0;
  int buffer_count_ = 0;
};

/// A chain over tensors. Made by make_elementwise_chain().
struct ChainArguments {
  const Chain* chain = nullptr;
  LoopAxes axes;
  std::int64_t count = 0;  ///< product of extents
  bool by_rows = false;    ///< strips end where the last axis does
  StridedOperand results[kMaxChainResults];
  StridedOperand operands[kMaxChainOperands];

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    for (int i = 0; i < chain->result_count(); ++i) {
      visit(results[i].data);
    }
    for (int i = 0; i < chain->operand_count(); ++i) {
      visit(operands[i].data);
    }
  }
  [[nodiscard]] std::size_t used_bytes() const {
    const auto unused = static_cast<std::size_t>(kMaxChainOperands - chain->operand_count());
    return sizeof *this - unused * sizeof(StridedOperand);
  }
};

/// Arguments for operands that broadcast to the shape of the results, which have the chain's types.
/// Axes that lie together in all of them are merged. `chain` is borrowed.
[[nodiscard]] ChainArguments make_elementwise_chain(const Chain& chain,
                                                    std::span<const TensorView> operands,
                                                    std::span<const TensorView> results);

/// Runs all links for any shape up to kMaxRank and any strides; elements of a result must not
/// overlap. A result may be one of the operands if their strides and sizes of elements are equal.
///
/// Numbers: those of elementwise(), link by link.
/// Threads: splits the elements over context.parallel from about 16,000 on.
void elementwise_chain(const ChainArguments& arguments, const KernelContext& context);

/// A matrix among others: strides in elements.
struct ChainMatrix {
  std::byte* data = nullptr;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 0;
};
/// Runs all links on rows x columns, in the calling thread.
void elementwise_chain_on_block(const Chain& chain, const ChainMatrix* operands,
                                const ChainMatrix* results, std::int64_t rows,
                                std::int64_t columns);

}  // namespace pliant::kernels
