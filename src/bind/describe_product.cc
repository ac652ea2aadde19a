#include "bind/describe_product.h"

#include <fmt/format.h>

namespace pliant::bind {
namespace {

using kernels::gemm::GemmForm;
using kernels::gemm::MatMulArguments;
using kernels::gemm::MatMulForm;

std::string describe_tiles(const GemmForm& form, const MatMulArguments& g) {
  if (form.tile_panels > 1) {
    return fmt::format(
        "wide tiles of {} x {} ({} panels side by side, since one tile has all rows)",
        form.tile_rows, form.tile_columns * form.tile_panels, form.tile_panels);
  }
  std::string text = fmt::format("tiles of {} x {}", form.tile_rows, form.tile_columns);
  text += form.k_block < g.k ? fmt::format(", k in blocks of {}", form.k_block)
                             : std::string(", k in one block");
  text += form.panel_by_panel ? ", panel by panel since rows are few"
                              : fmt::format(", {} rows stay in L2", form.row_block);
  return text;
}

const char* describe_rhs(MatMulForm::RightHandSide form) {
  switch (form) {
    case MatMulForm::RightHandSide::kPackedBefore:
      return "rhs a constant, packed once";
    case MatMulForm::RightHandSide::kReadInPlace:
      return "rhs read in place, since packing would cost more for so few rows";
    case MatMulForm::RightHandSide::kPackedInRun:
      break;
  }
  return "rhs packed in each run, being no constant";
}

std::string describe_threads(const MatMulForm& form, int worker_count) {
  if (worker_count == 1) {
    return "one thread";
  }
  if (form.batches_in_parallel) {
    return fmt::format("{} batches over {} threads", form.batches, worker_count);
  }
  switch (form.product.split) {
    case GemmForm::Split::kRows:
      return fmt::format("rows over {} threads", worker_count);
    case GemmForm::Split::kPanels:
      return fmt::format("panels over {} threads", worker_count);
    case GemmForm::Split::kNone:
      break;
  }
  return "one thread, being too little work for more";
}

}  // namespace

std::string describe_product(const MatMulArguments& arguments, DType dtype, CpuLevel level) {
  const MatMulForm form = kernels::gemm::matmul_form(arguments, dtype, level);
  std::string text =
      fmt::format("{} product {} x {} x {}; {}; {}; {}", name(level), arguments.m, arguments.k,
                  arguments.n, describe_tiles(form.product, arguments), describe_rhs(form.b),
                  describe_threads(form, arguments.worker_count));
  if (form.copies_a) {
    text += dtype == DType::kF32 ? "; lhs copied, since its rows do not lie in a row"
                                 : "; both widened to f32";
  }
  return text;
}

}  // namespace pliant::bind
