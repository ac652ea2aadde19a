#include "kernels/gemm/matmul.h"

#include <fmt/format.h>

#include <string_view>

#include "bind/describe_product.h"
#include "bind/matmul_epilogue.h"
#include "bind/operator.h"
#include "kernels/gemm/integer.h"

namespace pliant::bind {
namespace {

using kernels::gemm::BatchAxes;
using kernels::gemm::IntegerMatMulArguments;
using kernels::gemm::MatMulArguments;

/// A batch axis of the result with the strides of all three tensors.
struct BatchAxis {
  std::int64_t extent;
  std::int64_t a;
  std::int64_t b;
  std::int64_t c;
};

/// Stride of the batch axis that is `from_end` axes before the result's last batch axis; 0 where the
/// operand has no such axis or repeats its only element.
std::int64_t batch_stride(const TensorView& operand, std::size_t from_end) {
  const std::size_t rank = operand.shape.size();
  if (rank < 3 + from_end) {
    return 0;
  }
  const std::size_t axis = rank - 3 - from_end;
  return operand.shape[axis] == 1 ? 0 : operand.strides[axis];
}

/// Fills the batch axes: axes of extent 1 vanish, neighbours that lie evenly in all three tensors
/// become one, and the innermost become rows of a where b is the same for all of them.
void set_batch(MatMulArguments& g, const TensorView& lhs, const TensorView& rhs,
               const TensorView& dst, std::size_t batch_rank) {
  InlineVector<BatchAxis, kMaxRank> axes;  // innermost first
  for (std::size_t from_end = 0; from_end < batch_rank; ++from_end) {
    const std::size_t axis = batch_rank - 1 - from_end;
    const BatchAxis next{dst.shape[axis], batch_stride(lhs, from_end), batch_stride(rhs, from_end),
                         dst.strides[axis]};
    if (next.extent == 1) {
      continue;
    }
    if (axes.empty() && next.b == 0 &&
        (g.m == 1 || (next.a == g.m * g.a_row_stride && next.c == g.m * g.c_row_stride))) {
      if (g.m == 1) {
        g.a_row_stride = next.a;
        g.c_row_stride = next.c;
      }
      g.m *= next.extent;
      continue;
    }
    if (!axes.empty()) {
      BatchAxis& inner = axes[axes.size() - 1];
      if (next.a == inner.extent * inner.a && next.b == inner.extent * inner.b &&
          next.c == inner.extent * inner.c) {
        inner.extent *= next.extent;
        continue;
      }
    }
    axes.push_back(next);
  }
  static_assert(BatchAxes::kMaxCount + 2 == kMaxRank);
  g.batch.count = static_cast<int>(axes.size());
  for (int i = 0; i < g.batch.count; ++i) {
    const BatchAxis& axis = axes[axes.size() - 1 - static_cast<std::size_t>(i)];
    g.batch.extent[i] = axis.extent;
    g.batch.a[i] = axis.a;
    g.batch.b[i] = axis.b;
    g.batch.c[i] = axis.c;
  }
}

MatMulArguments product_arguments(const TensorView& lhs, const TensorView& rhs,
                                  const TensorView& dst, bool transpose_lhs, bool transpose_rhs) {
  MatMulArguments g;
  g.a = lhs.data;
  g.b = rhs.data;
  g.c = dst.data;
  const std::size_t lhs_rank = lhs.shape.size();
  const std::size_t rhs_rank = rhs.shape.size();
  std::size_t matrix_axes = 0;  // of dst
  if (rhs_rank == 1) {
    g.n = 1;
    g.b_k_stride = rhs.strides[0];
  } else {
    const std::size_t k_axis = rhs_rank - (transpose_rhs ? 1 : 2);
    const std::size_t n_axis = rhs_rank - (transpose_rhs ? 2 : 1);
    g.n = rhs.shape[n_axis];
    g.b_k_stride = rhs.strides[k_axis];
    g.b_column_stride = rhs.strides[n_axis];
    ++matrix_axes;
  }
  if (lhs_rank == 1) {
    g.m = 1;
    g.k = lhs.shape[0];
    g.a_k_stride = lhs.strides[0];
  } else {
    const std::size_t m_axis = lhs_rank - (transpose_lhs ? 1 : 2);
    const std::size_t k_axis = lhs_rank - (transpose_lhs ? 2 : 1);
    g.m = lhs.shape[m_axis];
    g.k = lhs.shape[k_axis];
    g.a_row_stride = lhs.strides[m_axis];
    g.a_k_stride = lhs.strides[k_axis];
    ++matrix_axes;
    g.c_row_stride = dst.strides[dst.shape.size() - matrix_axes];
  }
  set_batch(g, lhs, rhs, dst, dst.shape.size() - matrix_axes);
  return g;
}

/// Names of packed forms: what they depend on besides the constant itself.
std::string_view packed_format(CpuLevel level, bool transposed) {
  static constexpr std::string_view kNames[3][2] = {
      {"matmul rhs portable", "matmul rhs portable, transposed"},
      {"matmul rhs avx2", "matmul rhs avx2, transposed"},
      {"matmul rhs avx512", "matmul rhs avx512, transposed"},
  };
  return kNames[static_cast<int>(level)][transposed ? 1 : 0];
}

using MatMulRow = isa::MatMul;

bool packs_once(const BindContext& context) {
  const DType dtype = context.input(MatMulRow::rhs).dtype;
  return (dtype == DType::kF32 || dtype == DType::kF16 || dtype == DType::kBF16) &&
         context.keeps_packed(MatMulRow::rhs);
}

MatMulArguments matmul_arguments(const BindContext& context) {
  MatMulArguments g = product_arguments(
      context.input(MatMulRow::lhs), context.input(MatMulRow::rhs), context.output(MatMulRow::dst),
      context.flag(MatMulRow::transpose_lhs), context.flag(MatMulRow::transpose_rhs));
  g.worker_count = context.worker_count();
  return g;
}

void lay_out_matmul(BindContext& context) {
  if (!context.wanted(MatMulRow::dst)) {
    return;
  }
  MatMulArguments g = matmul_arguments(context);
  static constexpr float kWillBePacked = 0;
  g.packed_b = packs_once(context) ? &kWillBePacked : nullptr;
  context.set_scratch_bytes(
      kernels::gemm::matmul_scratch_bytes(g, context.input(MatMulRow::lhs).dtype, context.level()));
}

void bind_matmul(BindContext& context) {
  if (!context.wanted(MatMulRow::dst) || context.output(MatMulRow::dst).element_count() == 0) {
    return;
  }
  const DType dtype = context.input(MatMulRow::lhs).dtype;
  MatMulArguments g = matmul_arguments(context);
  if (packs_once(context)) {
    const std::int64_t elements = kernels::gemm::lay_out_packed_b(g, context.level());
    const std::byte* packed = context.packed(
        MatMulRow::rhs, packed_format(context.level(), context.flag(MatMulRow::transpose_rhs)),
        static_cast<std::size_t>(elements) * sizeof(float), [&](std::byte* target) {
          kernels::gemm::pack_all_of_b(g, dtype, context.level(), reinterpret_cast<float*>(target));
        });
    g.packed_b = reinterpret_cast<const float*>(packed);
  }
  if (const EpilogueRequest* const request = context.epilogue();
      request != nullptr && dtype == DType::kF32) {
    const bool has_rows = context.input(MatMulRow::lhs).rank() > 1;
    const MatMulEpilogueChoice choice =
        matmul_epilogue(*request, g, context.output(MatMulRow::dst), has_rows);
    if (choice.epilogue) {
      context.take_epilogue();
      context.call.set(kernels::gemm::matmul_f32_with_epilogue,
                       kernels::gemm::MatMulWithEpilogueArguments{g, *choice.epilogue});
      return;
    }
  }
  context.call.set(kernels::gemm::matmul_kernel(dtype), g);
}

std::string describe_matmul(const BindContext& context) {
  if (!context.wanted(MatMulRow::dst) || context.output(MatMulRow::dst).element_count() == 0) {
    return {};
  }
  const DType dtype = context.input(MatMulRow::lhs).dtype;
  MatMulArguments g = matmul_arguments(context);
  if (dtype != DType::kF32 && dtype != DType::kF16 && dtype != DType::kBF16) {
    return fmt::format("one loop for {}: tiles are for f32, f16 and bf16", name(dtype));
  }
  static constexpr float kPacked = 0;
  g.packed_b = packs_once(context) ? &kPacked : nullptr;
  std::string text = describe_product(g, dtype, context.level());
  if (const EpilogueRequest* const request = context.epilogue(); request != nullptr) {
    const bool has_rows = context.input(MatMulRow::lhs).rank() > 1;
    const std::string_view refusal =
        dtype != DType::kF32
            ? "products of f32 have one"
            : matmul_epilogue(*request, g, context.output(MatMulRow::dst), has_rows).refusal;
    text += refusal.empty() ? "; epilogue: the group runs on each piece while it is in cache"
                            : fmt::format("; no epilogue: {}", refusal);
  }
  return text;
}

using IntegerRow = isa::MatMulInteger;

/// A zero point as data and stride: 0 for one element, whatever its rank.
struct ZeroPoint {
  const void* data = nullptr;
  std::int64_t stride = 0;
};
ZeroPoint zero_point(const BindContext& context, int operand) {
  if (!context.given(operand)) {
    return {};
  }
  const TensorView& view = context.input(operand);
  return {view.data, view.element_count() == 1 ? 0 : view.strides[0]};
}

IntegerMatMulArguments integer_arguments(const BindContext& context) {
  const TensorView& lhs = context.input(IntegerRow::lhs);
  const TensorView& rhs = context.input(IntegerRow::rhs);
  const TensorView& dst = context.output(IntegerRow::dst);
  const ZeroPoint lhs_zero = zero_point(context, IntegerRow::lhs_zero_point);
  const ZeroPoint rhs_zero = zero_point(context, IntegerRow::rhs_zero_point);
  IntegerMatMulArguments arguments;
  arguments.product = product_arguments(lhs, rhs, dst, false, false);
  arguments.product.worker_count = context.worker_count();
  arguments.a_is_signed = lhs.dtype == DType::kI8;
  arguments.b_is_signed = rhs.dtype == DType::kI8;
  arguments.a_zero_point = lhs_zero.data;
  arguments.a_zero_point_stride = lhs_zero.stride;
  // Batch axes may have become rows of the product; its rows then repeat the zero points.
  arguments.a_zero_point_count = lhs.shape.size() < 2 ? 1 : lhs.shape[lhs.shape.size() - 2];
  arguments.b_zero_point = rhs_zero.data;
  arguments.b_zero_point_stride = rhs_zero.stride;
  return arguments;
}

void lay_out_matmul_integer(BindContext& context) {
  if (!context.wanted(IntegerRow::dst)) {
    return;
  }
  IntegerMatMulArguments arguments = integer_arguments(context);
  static constexpr std::int16_t kWillBePacked = 0;
  arguments.packed_b = context.keeps_packed(IntegerRow::rhs) ? &kWillBePacked : nullptr;
  context.set_scratch_bytes(
      kernels::gemm::integer_matmul_scratch_bytes(arguments, context.level()));
}

void bind_matmul_integer(BindContext& context) {
  if (!context.wanted(IntegerRow::dst) || context.output(IntegerRow::dst).element_count() == 0) {
    return;
  }
  IntegerMatMulArguments arguments = integer_arguments(context);
  if (context.keeps_packed(IntegerRow::rhs)) {
    const std::int64_t elements = kernels::gemm::lay_out_packed_b(arguments, context.level());
    const std::byte* packed = context.packed(
        IntegerRow::rhs, packed_format(context.level(), false),
        static_cast<std::size_t>(elements) * sizeof(std::int16_t), [&](std::byte* target) {
          kernels::gemm::pack_all_of_b(arguments, context.level(),
                                       reinterpret_cast<std::int16_t*>(target));
        });
    arguments.packed_b = reinterpret_cast<const std::int16_t*>(packed);
  }
  context.call.set(kernels::gemm::matmul_integer, arguments);
}

}  // namespace

const Operator kMatMul{.layout = lay_out_matmul, .bind = bind_matmul, .describe = describe_matmul};
const Operator kMatMulInteger{.layout = lay_out_matmul_integer, .bind = bind_matmul_integer};

}  // namespace pliant::bind
