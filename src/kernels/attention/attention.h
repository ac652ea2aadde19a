#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"
#include "tensor/dtype.h"

// ATTENTION: softmax(cap(scale * q k^T) + mask) v per head.
//
// A worker takes one key head and some of its query rows (with grouped heads, rows of several query
// heads). It packs k and v of the head once, then goes through the rows in blocks: a strip of scores
// [rows, keys] that stays in the cache, softmax in the strip in two passes, the strip times v, and
// 1 / sum as the rows are stored.
//
// Numbers: a score is one ascending chain over the width, an element of the result one over the keys;
// the sum of a row takes its keys in lanes by position. So a row's bits depend on its own q, k, v and
// mask and on the CPU level alone. Keys that a row does not see take no part: with no key seen the row
// is what `masked` says.

namespace pliant::kernels::attention {

enum class MaskKind : std::uint8_t {
  kNone,
  kBool,   ///< true: seen
  kAdded,  ///< element type of q; added to the score
};

/// What a row is all of whose scores are minus infinity.
enum class MaskedRow : std::uint8_t {
  kZero,
  kNan,   ///< as a softmax gives
  kMean,  ///< all keys have one weight, as after a softmax of equal finite scores
};

/// Strides in elements, of [batch, head, token, element].
struct AttentionArguments {
  std::int64_t batch = 0;
  std::int64_t heads = 0;
  std::int64_t key_heads = 0;  ///< divides heads
  std::int64_t queries = 0;
  std::int64_t keys = 0;
  std::int64_t width = 0;
  std::int64_t value_width = 0;
  const void* q = nullptr;
  std::int64_t q_strides[4] = {};
  const void* k = nullptr;
  std::int64_t k_strides[4] = {};
  const void* v = nullptr;
  std::int64_t v_strides[4] = {};
  void* dst = nullptr;
  std::int64_t dst_strides[4] = {};
  const void* mask = nullptr;
  std::int64_t mask_strides[4] = {};  ///< of [batch, head, query, key]; 0 where broadcast
  MaskKind mask_kind = MaskKind::kNone;
  double scale = 1;
  double softcap = 0;  ///< c > 0: a score becomes c * tanh(score / c) before the mask
  MaskedRow masked = MaskedRow::kZero;
  /// Query i sees keys 0..i + last_seen; `keys` or more when all are seen.
  std::int64_t last_seen = 0;
  int worker_count = 1;  ///< that scratch memory was asked for

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(q);
    visit(k);
    visit(v);
    visit(dst);
    visit(mask);
  }
};

/// How many of the first keys query i may see.
[[nodiscard]] inline std::int64_t seen_keys(const AttentionArguments& arguments,
                                            std::int64_t query) {
  const std::int64_t seen = query + arguments.last_seen + 1;
  return seen < 0 ? 0 : seen > arguments.keys ? arguments.keys : seen;
}

/// Scratch memory that the kernel for this type needs.
[[nodiscard]] std::size_t attention_scratch_bytes(const AttentionArguments& arguments, DType dtype,
                                                  CpuLevel level);

/// How the fast kernels go about it, for people who ask.
struct AttentionForm {
  std::int64_t block_rows = 0;  ///< query rows of a strip
  std::int64_t heads = 0;       ///< key heads of all batches
  std::int64_t parts = 1;       ///< pieces that the rows of a head are cut into, for threads
};
[[nodiscard]] AttentionForm attention_form(const AttentionArguments& arguments);

/// Types:   f32; f16 and bf16 in f32, rounded once at the end.
/// Threads: splits key heads and query rows over the context's loop.
void attention_f32(const AttentionArguments& arguments, const KernelContext& context);
void attention_f16(const AttentionArguments& arguments, const KernelContext& context);
void attention_bf16(const AttentionArguments& arguments, const KernelContext& context);

/// The definition, row by row; the kernel for f64 and what the fast ones are tested against.
template <class T>
void attention_reference(const AttentionArguments& arguments, const KernelContext& context);
extern template void attention_reference<float>(const AttentionArguments&, const KernelContext&);
extern template void attention_reference<double>(const AttentionArguments&, const KernelContext&);

using AttentionKernel = void (*)(const AttentionArguments&, const KernelContext&);
[[nodiscard]] AttentionKernel attention_kernel(DType dtype);

}  // namespace pliant::kernels::attention
