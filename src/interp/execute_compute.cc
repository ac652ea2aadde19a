#include "interp/binding.h"
#include "interp/frame.h"
#include "interp/handlers.h"
#include "threads/stop_check.h"

namespace pliant::interp {
namespace {

using bind::BindContext;
using bind::BindContextFiller;

/// More scratch than this goes back to the pool after the instruction.
constexpr std::size_t kMaxKeptScratchBytes = std::size_t{1} << 18;

Status allocate_results(Run& run, const Step& step) {
  Frame& frame = run.frame;
  frame.results.clear();
  auto outputs = BindContextFiller(frame.context).outputs().begin();
  for (const TensorTarget& target : run.program.targets(step)) {
    BindContext::Output& output = *outputs++;
    if (!target.wanted) {
      frame.results.emplace_back();
      continue;
    }
    PLIANT_DCHECK(is_dense(output.view.shape, output.view.strides));
    PLIANT_ASSIGN_OR_RETURN(
        std::shared_ptr<Storage> storage,
        run.environment.pool.allocate(output.view.dtype, output.view.element_count()));
    output.view.data = storage->data();
    frame.results.push_back(std::move(storage));
  }
  return {};
}

Result<std::byte*> provide_scratch(Run& run) {
  const std::size_t bytes = BindContextFiller(run.frame.context).scratch_bytes();
  if (bytes == 0) {
    return nullptr;
  }
  std::shared_ptr<Storage>& scratch = run.frame.scratch;
  if (scratch == nullptr || scratch->byte_size() < bytes) {
    scratch.reset();
    PLIANT_ASSIGN_OR_RETURN(
        scratch, run.environment.pool.allocate(DType::kU8, static_cast<std::int64_t>(bytes)));
  }
  return static_cast<std::byte*>(scratch->data());
}

void keep_results(Run& run, const Step& step) {
  Frame& frame = run.frame;
  std::size_t i = 0;
  for (const TensorTarget& target : run.program.targets(step)) {
    if (target.index >= 0) {
      TensorRegister& entry = frame.tensor(target.index);
      entry.value.view = BindContextFiller(frame.context).outputs()[i].view;
      entry.value.storage = std::move(frame.results[i]);
      entry.fixed = false;
    }
    ++i;
  }
}

}  // namespace

// Start reading here: this is how one tensor instruction runs.
Status execute_compute(Run& run, const Step& step) {
  Frame& frame = run.frame;
  const bind::Operator& op = *step.op;
  PLIANT_RETURN_IF_ERROR(gather_operands(run, step));
  if (op.measure != nullptr) {
    op.measure(frame.context, frame.measured, run.parallel);
    if (run.parallel.is_stopped()) {
      return stopped();  // sizes must not follow from what was counted
    }
  }
  PLIANT_RETURN_IF_ERROR(infer_results(run, step));
  if (op.layout != nullptr) {
    op.layout(frame.context);
  }
  for (BindContext::Input& input : BindContextFiller(frame.context).inputs()) {
    if (input.must_be_contiguous && !input.view.is_contiguous()) {
      PLIANT_RETURN_IF_ERROR(make_contiguous(run, input));
    }
  }
  PLIANT_RETURN_IF_ERROR(allocate_results(run, step));
  op.bind(frame.context);
  PLIANT_ASSIGN_OR_RETURN(std::byte* const scratch, provide_scratch(run));
  if (op.check != nullptr) {
    PLIANT_RETURN_IF_ERROR(op.check(frame.context));
  }
  frame.context.call(kernels::KernelContext{run.parallel, scratch, run.environment.level});
  keep_results(run, step);
  frame.copies.clear();
  if (frame.scratch != nullptr && frame.scratch->byte_size() > kMaxKeptScratchBytes) {
    frame.scratch.reset();
  }
  return {};
}

}  // namespace pliant::interp
