#include "kernels/elementwise/elementwise.h"

#include "bind/elementwise_function.h"
#include "bind/operator.h"
#include "bind/result_strides.h"

namespace pliant::bind {
namespace {

void layout_elementwise(BindContext& context) {
  context.set_strides(0, strides_following(context.all_inputs(), context.output(0).shape));
}

void bind_elementwise(BindContext& context) {
  const TensorView& result = context.output(0);
  if (result.element_count() == 0) {
    return;
  }
  const std::span<const BindContext::Input> given = context.all_inputs();
  DType types[kernels::kMaxElementwiseInputs];
  TensorView inputs[kernels::kMaxElementwiseInputs];
  for (std::size_t i = 0; i < given.size(); ++i) {
    types[i] = given[i].view.dtype;
    inputs[i] = broadcast_view(given[i].view, result.shape);
  }
  const ElementwiseChoice choice =
      choose_elementwise(context.instruction(), {types, given.size()}, context.level());
  kernels::ElementwiseArguments arguments =
      make_elementwise(choice.loop, inputs, result, context.level());
  arguments.alpha = choice.alpha;
  arguments.beta = choice.beta;
  context.call.set(&kernels::elementwise, arguments);
  if (result.is_contiguous()) {
    context.call.is_loop(arguments.count);
  }
}

}  // namespace

const Operator kElementwise{
    .layout = layout_elementwise, .bind = bind_elementwise, .in_place = InPlace::kAnyInput};
const Operator kCast{
    .layout = layout_elementwise, .bind = bind_elementwise, .in_place = InPlace::kAnyInput};

}  // namespace pliant::bind
