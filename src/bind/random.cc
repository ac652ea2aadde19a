#include "kernels/random/random.h"

#include "bind/operator.h"

// RANDOM_UNIFORM and RANDOM_NORMAL: the operands of both stand at the same positions.

namespace pliant::bind {
namespace {

void bind_random(BindContext& context) {
  using Row = isa::RandomUniform;
  static_assert(int{isa::RandomNormal::mean} == int{Row::low} &&
                int{isa::RandomNormal::deviation} == int{Row::high} &&
                int{isa::RandomNormal::seed} == int{Row::seed});
  const TensorView& target = context.output(Row::dst);
  const bool is_normal = context.opcode() == isa::Opcode::kRandomNormal;
  if (target.element_count() == 0) {
    return;
  }
  context.call.set(kernels::random,
                   {target.data, target.element_count(), target.dtype,
                    is_normal ? kernels::Distribution::kNormal : kernels::Distribution::kUniform,
                    context.real(Row::low), context.real(Row::high),
                    kernels::random_stream(static_cast<std::uint64_t>(context.integer(Row::seed)),
                                           context.run_number(), context.instruction_number())});
}

}  // namespace

const Operator kRandom{.bind = bind_random};

}  // namespace pliant::bind
