#include "interp/binding.h"
#include "interp/frame.h"
#include "interp/handlers.h"
#include "interp/materialise.h"

namespace pliant::interp {

Status execute_view(Run& run, const Step& step) {
  Frame& frame = run.frame;
  // View rows look at one tensor. A share of its own keeps it alive when a result replaces it.
  PLIANT_ASSIGN_OR_RETURN(TensorRegister x, tensor_value(run, run.program.sources(step)[0]));
  PLIANT_RETURN_IF_ERROR(gather_operands(run, step));
  bind::BindContextFiller filler(frame.context);
  filler.inputs()[0].view = x.value.view;
  PLIANT_RETURN_IF_ERROR(infer_results(run, step));
  if (step.op->view(frame.context) == bind::ViewOutcome::kNeedsContiguousInput) {
    PLIANT_ASSIGN_OR_RETURN(x.value, copy_to_row_major(run, x.value.view));
    x.fixed = false;
    filler.inputs()[0].view = x.value.view;
    PLIANT_CHECK(step.op->view(frame.context) == bind::ViewOutcome::kView);
  }
  std::size_t i = 0;
  for (const TensorTarget& target : run.program.targets(step)) {
    if (target.index >= 0) {
      TensorRegister& entry = frame.tensor(target.index);
      entry.value = {filler.outputs()[i].view, x.value.storage};
      entry.fixed = x.fixed && step.fixed_geometry;
    }
    ++i;
  }
  return {};
}

}  // namespace pliant::interp
