#include "interp/interpreter.h"

#include <algorithm>
#include <utility>

#include "interp/failure.h"
#include "threads/stop_check.h"

namespace pliant::interp {

Interpreter::Interpreter(VerifiedProgram program, const Environment& environment)
    : program_(std::move(program)), environment_(environment) {}

Interpreter::~Interpreter() = default;

std::unique_ptr<Frame> Interpreter::take_frame() {
  {
    const std::lock_guard lock(mutex_);
    if (!frames_.empty()) {
      std::unique_ptr<Frame> frame = std::move(frames_.back());
      frames_.pop_back();
      return frame;
    }
  }
  return std::make_unique<Frame>(program_);
}

void Interpreter::give_back(std::unique_ptr<Frame> frame) {
  frame->clear();
  const std::lock_guard lock(mutex_);
  frames_.push_back(std::move(frame));
}

Execution Interpreter::begin(const Arguments& arguments) {
  PLIANT_CHECK_EQ(arguments.inputs.size(), program_.program().inputs.size());
  PLIANT_CHECK_EQ(arguments.symbols.size(), program_.program().symbols.size());
  return {*this, take_frame(), arguments};
}

Result<std::vector<StoredTensor>> Interpreter::run(const Arguments& arguments) {
  Execution execution = begin(arguments);
  while (!execution.has_ended()) {
    PLIANT_RETURN_IF_ERROR(execution.step());
  }
  return execution.take_outputs();
}

Execution::Execution(Interpreter& interpreter, std::unique_ptr<Frame> frame,
                     const Interpreter::Arguments& arguments)
    : interpreter_(interpreter),
      frame_(std::move(frame)),
      run_{interpreter.program_, interpreter.environment_,
           arguments.parallel != nullptr ? *arguments.parallel : interpreter.environment_.parallel,
           *frame_, arguments.run_number} {
  std::copy(arguments.symbols.begin(), arguments.symbols.end(), frame_->symbols.begin());
  frame_->inputs = arguments.inputs;
}

Execution::~Execution() {
  interpreter_.give_back(std::move(frame_));
}

void Execution::release(Range registers) {
  for (const int index : run_.program.releases(registers)) {
    run_.frame.tensor(index).value.storage.reset();
  }
}

Status Execution::step() {
  const std::size_t index = run_.next++;
  const Step& step = run_.program.steps()[index];
  release(step.release_before);
  Status status = step.execute(run_, step);
  if (run_.parallel.is_stopped()) [[unlikely]] {
    // Whatever it says: it may have looked at what a stopped kernel left behind.
    status = stopped();
  }
  if (!status) [[unlikely]] {
    return at_instruction(std::move(status.error()), run_, index);
  }
  release(step.release_after);
  return {};
}

void Execution::skip_to(std::size_t end) {
  for (; run_.next < end; ++run_.next) {
    release(run_.program.steps()[run_.next].release_before);
    release(run_.program.steps()[run_.next].release_after);
  }
}

void Execution::set_tensor(int index, StoredTensor value) {
  TensorRegister& entry = run_.frame.tensor(index);
  entry.fixed = false;
  entry.value = std::move(value);
}

Result<std::vector<StoredTensor>> Execution::take_outputs() {
  std::vector<StoredTensor> outputs;
  outputs.reserve(run_.frame.outputs.size());
  for (StoredTensor& output : run_.frame.outputs) {
    outputs.push_back(std::exchange(output, {}));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].storage == nullptr) {
      return make_error(ErrorCode::kInvalidArgument, "the run ended without storing output '{}'",
                        run_.program.program().outputs[i].name);
    }
  }
  return outputs;
}

}  // namespace pliant::interp
