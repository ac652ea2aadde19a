// MATMUL of f32, and of f16 and bf16 through f32: brings the operands into the form that gemm()
// wants (rows of a with inner stride 1, b in panels) where they are not, and multiplies batch by
// batch.

#include <algorithm>
#include <type_traits>

#include "base/rounding.h"
#include "kernels/gemm/batch_axes.h"
#include "kernels/gemm/epilogue.h"
#include "kernels/gemm/matmul.h"
#include "kernels/wide_element.h"

namespace pliant::kernels::gemm {
namespace {

/// What has to be prepared before multiplying, and where in scratch memory it goes.
struct Preparation {
  bool copy_a = false;
  bool pack_b = false;
  bool pack_tail = false;  ///< b is read in place but for its incomplete last panel
  bool copy_c = false;
  bool batch_parallel = false;  ///< one worker per batch index, with scratch memory of its own
  std::int64_t a_elements = 0;  // in floats, each a multiple of 16
  std::int64_t b_elements = 0;
  std::int64_t c_elements = 0;
  std::int64_t slots = 1;

  [[nodiscard]] std::int64_t slot_elements() const { return a_elements + b_elements + c_elements; }
};

Preparation prepare(const MatMulArguments& g, bool is_f32, const MicroKernels& kernels) {
  // Up to so many rows packing b would cost more than reading its rows where they lie.
  constexpr std::int64_t kRowsInPlace = 18;
  constexpr std::int64_t kWorkPerBatch = 512 << 10;  // below, splitting one product does not pay
  constexpr std::int64_t kFloatsPerLine = 16;
  Preparation p;
  p.copy_a = !is_f32 || (g.a_k_stride != 1 && g.k > 1);
  p.copy_c = !is_f32;
  if (g.packed_b == nullptr) {
    const bool in_place =
        is_f32 && g.m <= kRowsInPlace && g.b_column_stride == 1 && g.n >= kernels.columns;
    p.pack_b = !in_place;
    p.pack_tail = in_place && g.n % kernels.columns != 0;
  }
  const std::int64_t batches = batch_count(g.batch);
  p.batch_parallel = batches > 1 && (batches >= std::int64_t{4} * g.worker_count ||
                                     g.m * g.n * std::max<std::int64_t>(1, g.k) < kWorkPerBatch);
  p.slots = p.batch_parallel ? g.worker_count : 1;
  p.a_elements = p.copy_a ? round_up(g.m * g.k, kFloatsPerLine) : 0;
  p.b_elements = p.pack_b      ? packed_elements(kernels, g.k, g.n)
                 : p.pack_tail ? g.k * kernels.columns
                               : 0;
  p.b_elements = round_up(p.b_elements, kFloatsPerLine);
  p.c_elements = p.copy_c ? round_up(g.m * g.n, kFloatsPerLine) : 0;
  return p;
}

/// Rows of a, widened and without gaps: the panel of a transpose.
template <class T>
void copy_rows(const MatMulArguments& g, const T* a, float* to, ParallelFor& parallel) {
  constexpr std::int64_t kElementsPerPiece = 32 << 10;
  const std::int64_t grain =
      std::max<std::int64_t>(4, kElementsPerPiece / std::max<std::int64_t>(1, g.k));
  parallel.run(g.m, grain, [&](std::int64_t begin, std::int64_t end, int) {
    // Blocks of rows, so that a transposed matrix is read line by line.
    constexpr std::int64_t kBlock = 16;
    for (std::int64_t row = begin; row < end; row += kBlock) {
      const std::int64_t row_end = std::min(end, row + kBlock);
      if (g.a_k_stride == 1) {
        for (std::int64_t i = row; i < row_end; ++i) {
          for (std::int64_t k = 0; k < g.k; ++k) {
            to[i * g.k + k] = widen(a[i * g.a_row_stride + k]);
          }
        }
        continue;
      }
      for (std::int64_t k = 0; k < g.k; ++k) {
        for (std::int64_t i = row; i < row_end; ++i) {
          to[i * g.k + k] = widen(a[i * g.a_row_stride + k * g.a_k_stride]);
        }
      }
    }
  });
}

void pack_matrix(const MicroKernels& kernels, const MatMulArguments& g, const float* b,
                 float* panels, ParallelFor& parallel) {
  pack_b(kernels, {b, g.b_k_stride, g.b_column_stride}, g.k, g.n, panels, parallel);
}

template <class T>
void pack_matrix(const MicroKernels& kernels, const MatMulArguments& g, const T* b, float* panels,
                 ParallelFor& parallel) {
  const std::int64_t columns = kernels.columns;
  parallel.run(panel_count(kernels, g.n), 1, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t p = begin; p < end; ++p) {
      float* panel = panels + p * g.k * columns;
      const std::int64_t count = std::min(columns, g.n - p * columns);
      const T* from = b + p * columns * g.b_column_stride;
      if (g.b_k_stride == 1) {
        for (std::int64_t j = 0; j < columns; ++j) {
          for (std::int64_t k = 0; k < g.k; ++k) {
            panel[k * columns + j] = j < count ? widen(from[j * g.b_column_stride + k]) : 0.0f;
          }
        }
        continue;
      }
      for (std::int64_t k = 0; k < g.k; ++k) {
        for (std::int64_t j = 0; j < columns; ++j) {
          panel[k * columns + j] =
              j < count ? widen(from[k * g.b_k_stride + j * g.b_column_stride]) : 0.0f;
        }
      }
    }
  });
}

template <class T>
void round_rows(const MatMulArguments& g, const float* from, T* c, ParallelFor& parallel) {
  constexpr std::int64_t kElementsPerPiece = 32 << 10;
  const std::int64_t grain = std::max<std::int64_t>(1, kElementsPerPiece / g.n);
  parallel.run(g.m, grain, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t j = 0; j < g.n; ++j) {
        c[i * g.c_row_stride + j] = narrow<T>(from[i * g.n + j]);
      }
    }
  });
}
void round_rows(const MatMulArguments&, const float*, float*, ParallelFor&) {}

/// The chain on pieces of one matrix of the batch.
class EpilogueOnMatrix {
 public:
  EpilogueOnMatrix(const MatMulEpilogue& epilogue, const BatchAxes& axes, std::int64_t index)
      : chain_(*epilogue.chain) {
    for (int i = 0; i < chain_.operand_count(); ++i) {
      operands_[i] = matrix(epilogue.operands[i], chain_.operand_type(i), axes, index);
    }
    for (int r = 0; r < chain_.result_count(); ++r) {
      results_[r] = matrix(epilogue.results[r], chain_.result_type(r), axes, index);
    }
  }

  void operator()(const Piece& piece) const {
    ChainMatrix operands[kMaxEpilogueOperands];
    ChainMatrix results[kMaxEpilogueResults];
    for (int i = 0; i < chain_.operand_count(); ++i) {
      operands[i] = part(operands_[i], chain_.operand_type(i), piece);
    }
    for (int r = 0; r < chain_.result_count(); ++r) {
      results[r] = part(results_[r], chain_.result_type(r), piece);
    }
    elementwise_chain_on_block(chain_, operands, results, piece.rows, piece.columns);
  }

 private:
  static ChainMatrix matrix(const EpilogueOperand& operand, DType dtype, const BatchAxes& axes,
                            std::int64_t index) {
    std::int64_t offset = 0;
    for (int axis = axes.count - 1; axis >= 0; --axis) {
      offset += index % axes.extent[axis] * operand.batch[axis];
      index /= axes.extent[axis];
    }
    return {operand.data + offset * static_cast<std::int64_t>(byte_size(dtype)), operand.row_stride,
            operand.column_stride};
  }
  static ChainMatrix part(ChainMatrix matrix, DType dtype, const Piece& piece) {
    matrix.data += (piece.row * matrix.row_stride + piece.column * matrix.column_stride) *
                   static_cast<std::int64_t>(byte_size(dtype));
    return matrix;
  }

  const Chain& chain_;
  ChainMatrix operands_[kMaxEpilogueOperands];
  ChainMatrix results_[kMaxEpilogueResults];
};

/// One matrix product. `last_b` remembers what this slot holds packed, so that a matrix shared by
/// neighbouring batches is packed once.
template <class T>
void multiply_one(const MatMulArguments& g, const Preparation& p, const MicroKernels& kernels,
                  const MatMulEpilogue* epilogue, std::int64_t index, float* slot, const T*& last_b,
                  ParallelFor& parallel) {
  const BatchOffsets offsets = batch_offsets(g.batch, index);
  const T* a = static_cast<const T*>(g.a) + offsets.a;
  const T* b = static_cast<const T*>(g.b) + offsets.b;
  T* c = static_cast<T*>(g.c) + offsets.c;
  float* a_copy = slot;
  float* b_panels = slot + p.a_elements;
  float* c_copy = b_panels + p.b_elements;

  GemmArguments gemm_arguments{.m = g.m, .n = g.n, .k = g.k};
  if (p.copy_a) {
    copy_rows(g, a, a_copy, parallel);
    gemm_arguments.a = a_copy;
    gemm_arguments.a_row_stride = g.k;
  }
  if (g.packed_b != nullptr) {
    gemm_arguments.b = packed_panels(kernels, g.packed_b + offsets.packed_b, g.k);
  } else if (p.pack_b) {
    if (b != last_b) {
      pack_matrix(kernels, g, b, b_panels, parallel);
    }
    gemm_arguments.b = packed_panels(kernels, b_panels, g.k);
  }
  gemm_arguments.c = c_copy;
  gemm_arguments.c_row_stride = g.n;
  if constexpr (std::is_same_v<T, float>) {
    if (!p.copy_a) {
      gemm_arguments.a = a;
      gemm_arguments.a_row_stride = g.a_row_stride;
    }
    if (g.packed_b == nullptr && !p.pack_b) {
      const std::int64_t whole = g.n / kernels.columns * kernels.columns;
      if (p.pack_tail && b != last_b) {
        pack_panel({b, g.b_k_stride, g.b_column_stride}, g.k, whole, g.n - whole, kernels.columns,
                   b_panels);
      }
      gemm_arguments.b = {
          .data = b, .row_stride = g.b_k_stride, .panel_stride = kernels.columns, .tail = b_panels};
    }
    gemm_arguments.c = c;
    gemm_arguments.c_row_stride = g.c_row_stride;
  }
  last_b = b;
  if (epilogue != nullptr) {
    const EpilogueOnMatrix on_matrix(*epilogue, g.batch, index);
    const FunctionRef<void(const Piece&)> finish(on_matrix);
    gemm_arguments.finish = &finish;
    gemm(kernels, gemm_arguments, parallel);
    return;
  }
  gemm(kernels, gemm_arguments, parallel);
  round_rows(g, c_copy, c, parallel);
}

template <class T>
void matmul_float(const MatMulArguments& g, const MatMulEpilogue* epilogue,
                  const KernelContext& context) {
  const MicroKernels& kernels = micro_kernels(context.level);
  const Preparation p = prepare(g, std::is_same_v<T, float>, kernels);
  PLIANT_DCHECK(context.parallel.worker_count() <= g.worker_count);
  float* scratch = reinterpret_cast<float*>(context.scratch);
  const std::int64_t batches = batch_count(g.batch);
  if (!p.batch_parallel) {
    const T* last_b = nullptr;
    for (std::int64_t index = 0; index < batches && !context.parallel.is_stopped(); ++index) {
      multiply_one<T>(g, p, kernels, epilogue, index, scratch, last_b, context.parallel);
    }
    return;
  }
  constexpr std::int64_t kWorkPerPiece = 256 << 10;
  const std::int64_t work = std::max<std::int64_t>(1, g.m * g.n * g.k);
  const std::int64_t grain =
      std::max(ceil_divide(kWorkPerPiece, work), ceil_divide(batches, 4 * p.slots));
  context.parallel.run(batches, grain, [&](std::int64_t begin, std::int64_t end, int worker) {
    SerialFor serial(context.parallel);
    const T* last_b = nullptr;
    for (std::int64_t index = begin; index < end && !serial.is_stopped(); ++index) {
      multiply_one<T>(g, p, kernels, epilogue, index, scratch + worker * p.slot_elements(), last_b,
                      serial);
    }
  });
}

}  // namespace

MatMulForm matmul_form(const MatMulArguments& g, DType dtype, CpuLevel level) {
  const MicroKernels& kernels = micro_kernels(level);
  const Preparation p = prepare(g, dtype == DType::kF32, kernels);
  MatMulForm form;
  form.b = g.packed_b != nullptr ? MatMulForm::RightHandSide::kPackedBefore
           : p.pack_b            ? MatMulForm::RightHandSide::kPackedInRun
                                 : MatMulForm::RightHandSide::kReadInPlace;
  form.copies_a = p.copy_a;
  form.batches = batch_count(g.batch);
  form.batches_in_parallel = p.batch_parallel;
  form.product = gemm_form(kernels, g.m, g.n, g.k, p.batch_parallel ? 1 : g.worker_count);
  return form;
}

std::size_t matmul_scratch_bytes(const MatMulArguments& g, DType dtype, CpuLevel level) {
  if (dtype != DType::kF32 && dtype != DType::kF16 && dtype != DType::kBF16) {
    return 0;
  }
  // A broadcast view may claim any number of elements. No allocator grants this much.
  constexpr std::size_t kTooMuch = std::size_t{1} << 62;
  constexpr double kMaxElements = 0x1p50;
  const double m = static_cast<double>(g.m);
  const double n = static_cast<double>(g.n) + 64.0;
  const double k = static_cast<double>(g.k);
  if ((m * k + k * n + m * n) * g.worker_count > kMaxElements) {
    return kTooMuch;
  }
  const Preparation p = prepare(g, dtype == DType::kF32, micro_kernels(level));
  return static_cast<std::size_t>(p.slots * p.slot_elements()) * sizeof(float);
}

std::int64_t lay_out_packed_b(MatMulArguments& arguments, CpuLevel level) {
  return lay_out_packed(arguments.batch,
                        packed_elements(micro_kernels(level), arguments.k, arguments.n));
}

void pack_all_of_b(const MatMulArguments& arguments, DType dtype, CpuLevel level, float* panels) {
  const MicroKernels& kernels = micro_kernels(level);
  SerialFor serial;
  const BatchAxes distinct = axes_of_b(arguments.batch);
  const std::int64_t count = batch_count(distinct);
  for (std::int64_t index = 0; index < count; ++index) {
    const BatchOffsets offsets = batch_offsets(distinct, index);
    float* to = panels + offsets.packed_b;
    if (dtype == DType::kF16) {
      pack_matrix(kernels, arguments, static_cast<const Half*>(arguments.b) + offsets.b, to,
                  serial);
    } else if (dtype == DType::kBF16) {
      pack_matrix(kernels, arguments, static_cast<const BFloat16*>(arguments.b) + offsets.b, to,
                  serial);
    } else {
      pack_matrix(kernels, arguments, static_cast<const float*>(arguments.b) + offsets.b, to,
                  serial);
    }
  }
}

void matmul_f32(const MatMulArguments& arguments, const KernelContext& context) {
  matmul_float<float>(arguments, nullptr, context);
}
void matmul_f16(const MatMulArguments& arguments, const KernelContext& context) {
  matmul_float<Half>(arguments, nullptr, context);
}
void matmul_bf16(const MatMulArguments& arguments, const KernelContext& context) {
  matmul_float<BFloat16>(arguments, nullptr, context);
}
void matmul_f32_with_epilogue(const MatMulWithEpilogueArguments& arguments,
                              const KernelContext& context) {
  matmul_float<float>(arguments.product, &arguments.epilogue, context);
}

}  // namespace pliant::kernels::gemm
