#include "session/segment.h"

#include <limits>

#include "tensor/element_values.h"

namespace pliant::session {
namespace {

/// Element number `position`, in row-major order, of a small integer tensor. One of another shape may
/// have no such element: then a number that no size and no axis is, so the rules refuse it.
std::int64_t element(const TensorView& view, int position) {
  if (position >= view.element_count()) {
    return std::numeric_limits<std::int64_t>::min();
  }
  TensorView one = view;
  std::int64_t rest = position;
  std::int64_t offset = 0;
  for (std::size_t axis = view.shape.size(); axis-- > 0;) {
    offset += rest % view.shape[axis] * view.strides[axis];
    rest /= view.shape[axis];
  }
  one.data = static_cast<std::byte*>(view.data) +
             offset * static_cast<std::int64_t>(byte_size(view.dtype));
  one.shape.clear();
  one.strides.clear();
  std::int64_t value = 0;
  for_each_integer(one, [&](std::int64_t number) { value = number; });
  return value;
}

}  // namespace

void Segment::gather(const interp::Execution& execution, std::vector<std::int64_t>& signature,
                     std::vector<StoredTensor>& live_ins) const {
  const plan::Graph& graph = compiled_.graph;
  live_ins.clear();
  for (const plan::LiveIn& live_in : graph.live_ins) {
    live_ins.push_back(live_in.kind == plan::LiveIn::Kind::kProgramInput
                           ? execution.input(live_in.index)
                           : execution.tensor(live_in.index));
  }
  signature.clear();
  for (const plan::EntrySource& source : graph.entry_sources) {
    using Kind = plan::EntrySource::Kind;
    const auto index = static_cast<std::size_t>(source.index);
    switch (source.kind) {
      case Kind::kAxis:
        signature.push_back(live_ins[index].view.shape[static_cast<std::size_t>(source.position)]);
        break;
      case Kind::kElement:
        signature.push_back(element(live_ins[index].view, source.position));
        break;
      case Kind::kSize:
        signature.push_back(execution.size(source.index));
        break;
      case Kind::kSymbol:
        signature.push_back(execution.symbol(source.index));
        break;
    }
  }
}

void Segment::scatter(const plan::Plan& plan, plan::RunResults& results,
                      interp::Execution& execution) {
  execution.skip_to(plan.end);
  for (std::size_t i = 0; i < plan.live_outs.size(); ++i) {
    const plan::LiveOut& out = plan.live_outs[i];
    switch (out.kind) {
      case plan::LiveOut::Kind::kProgramOutput:
        execution.set_output(out.index, std::move(results.tensors[i]));
        break;
      case plan::LiveOut::Kind::kTensorRegister:
        execution.set_tensor(out.index, std::move(results.tensors[i]));
        break;
      case plan::LiveOut::Kind::kSizeRegister:
        execution.set_size(out.index, results.sizes[i]);
        break;
    }
  }
}

}  // namespace pliant::session
