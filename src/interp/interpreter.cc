#include "interp/interpreter.h"

#include <algorithm>
#include <utility>

#include "interp/failure.h"

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

Result<std::vector<StoredTensor>> Interpreter::run(const Arguments& arguments) {
  PLIANT_CHECK_EQ(arguments.inputs.size(), program_.program().inputs.size());
  PLIANT_CHECK_EQ(arguments.symbols.size(), program_.program().symbols.size());
  std::unique_ptr<Frame> frame = take_frame();
  std::copy(arguments.symbols.begin(), arguments.symbols.end(), frame->symbols.begin());
  frame->inputs = arguments.inputs;
  Run run{program_, environment_, *frame, arguments.run_number};
  const Status status = execute(run);
  std::vector<StoredTensor> outputs;
  if (status) {
    outputs.reserve(frame->outputs.size());
    for (StoredTensor& output : frame->outputs) {
      outputs.push_back(std::exchange(output, {}));
    }
  }
  give_back(std::move(frame));
  if (!status) {
    return status.error();
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].storage == nullptr) {
      return make_error(ErrorCode::kInvalidArgument, "the run ended without storing output '{}'",
                        program_.program().outputs[i].name);
    }
  }
  return outputs;
}

Status Interpreter::execute(Run& run) {
  const std::span<const Step> steps = program_.steps();
  const auto release = [&](Range registers) {
    for (const int index : program_.releases(registers)) {
      run.frame.tensor(index).value.storage.reset();
    }
  };
  while (run.next < steps.size()) {
    const std::size_t index = run.next++;
    const Step& step = steps[index];
    release(step.release_before);
    Status status = step.execute(run, step);
    if (!status) [[unlikely]] {
      return at_instruction(std::move(status.error()), run, index);
    }
    release(step.release_after);
  }
  return {};
}

}  // namespace pliant::interp
