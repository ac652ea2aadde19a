#include "interp/frame.h"

#include <algorithm>

namespace pliant::interp {

Frame::Frame(const PreparedProgram& program)
    : tensors(program.program().registers.size()),
      sizes(program.program().registers.size()),
      symbols(program.program().symbols.size()),
      loops(static_cast<std::size_t>(program.loop_count())),
      outputs(program.program().outputs.size()),
      scalars(std::max<std::size_t>(program.max_sources(), 1)),
      known_values_(program, *this) {}

void Frame::clear() {
  for (TensorRegister& entry : tensors) {
    entry.value.storage.reset();
  }
  for (StoredTensor& output : outputs) {
    output.storage.reset();
  }
  std::fill(loops.begin(), loops.end(), LoopState{});
  inputs = {};
  copies.clear();
  results.clear();
  scratch.reset();
}

semantics::InferenceContext& Frame::inference(const isa::Instruction& instruction) {
  if (inference_) {
    inference_->reset(instruction);
  } else {
    inference_.emplace(instruction, known_values_);
  }
  return *inference_;
}

}  // namespace pliant::interp
