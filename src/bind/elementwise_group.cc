#include "bind/elementwise_group.h"

#include <algorithm>
#include <vector>

#include "bind/elementwise_function.h"
#include "bind/result_strides.h"

namespace pliant::bind {

std::optional<ElementwiseGroup> ElementwiseGroup::make(std::span<const Member> members,
                                                       std::span<const DType> operand_types,
                                                       std::span<const int> results,
                                                       CpuLevel level) {
  std::vector<DType> types(operand_types.begin(), operand_types.end());  // of all values
  std::vector<kernels::ChainLink> links;
  for (const Member& member : members) {
    if (!is_elementwise(member.instruction->opcode)) {
      return std::nullopt;
    }
    InlineVector<DType, kernels::kMaxElementwiseInputs> inputs;
    kernels::ChainLink link;
    for (const int source : member.sources) {
      link.inputs[inputs.size()] = source;
      inputs.push_back(types[static_cast<std::size_t>(source)]);
    }
    const ElementwiseChoice choice =
        choose_elementwise(*member.instruction, {inputs.data(), inputs.size()}, level);
    if (choice.loop.run == nullptr) {
      return std::nullopt;
    }
    link.loop = choice.loop;
    link.result = choice.result;
    link.alpha = choice.alpha;
    link.beta = choice.beta;
    links.push_back(link);
    types.push_back(choice.result);
  }
  std::optional<kernels::Chain> chain = kernels::Chain::make(operand_types, links, results, level);
  if (!chain) {
    return std::nullopt;
  }
  return ElementwiseGroup(std::make_unique<const kernels::Chain>(*std::move(chain)));
}

Strides ElementwiseGroup::strides(std::span<const TensorView> operands, const Shape& shape) {
  return strides_following(operands, shape);
}

void ElementwiseGroup::bind(kernels::KernelCall& call, std::span<const TensorView> operands,
                            std::span<const TensorView> results) const {
  PLIANT_DCHECK(operands.size() == static_cast<std::size_t>(operand_count()));
  PLIANT_DCHECK(results.size() == static_cast<std::size_t>(result_count()));
  call.clear();
  if (results[0].element_count() == 0) {
    return;
  }
  call.set(&kernels::elementwise_chain, make_elementwise_chain(*chain_, operands, results));
  if (std::all_of(results.begin(), results.end(),
                  [](const TensorView& result) { return result.is_contiguous(); })) {
    call.is_loop(results[0].element_count());
  }
}

}  // namespace pliant::bind
