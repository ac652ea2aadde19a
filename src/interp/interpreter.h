#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "interp/frame.h"
#include "interp/prepared_program.h"

namespace pliant::interp {

class Execution;

/// Runs a program instruction by instruction: right for every program and every shape.
///
/// Thread-safe: any number of threads may call run() at once.
class Interpreter {
 public:
  /// `environment` names what the caller keeps alive.
  Interpreter(VerifiedProgram program, const Environment& environment);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  /// What one run is given.
  struct Arguments {
    std::span<const StoredTensor> inputs;   ///< as declared: all of them, types and shapes fit
    std::span<const std::int64_t> symbols;  ///< values of Program::symbols
    std::uint64_t run_number = 0;           ///< random numbers depend on it
    ParallelFor* parallel = nullptr;        ///< of this run; null: Environment::parallel
  };

  /// Returns the outputs in the program's order: row-major, each with memory of its own.
  ///
  /// Errors: kShapeMismatch (extents do not fit), kInvalidArgument (for example an index out of
  /// range), kResourceExhausted, kCancelled (Arguments::parallel is stopped). `where` is the
  /// instruction's place and the message ends with the types and shapes of its tensor operands.
  [[nodiscard]] Result<std::vector<StoredTensor>> run(const Arguments& arguments);

  /// Begins a run whose instructions are executed bit by bit, some of them by others.
  [[nodiscard]] Execution begin(const Arguments& arguments);

 private:
  friend class Execution;

  [[nodiscard]] std::unique_ptr<Frame> take_frame();
  void give_back(std::unique_ptr<Frame> frame);

  PreparedProgram program_;
  Environment environment_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Frame>> frames_;  // guarded by mutex_: those that no run uses
};

/// A run under way. Whoever holds it may execute stretches of instructions by other means: it reads
/// the registers that they read, and leaves behind what they write. Used by one thread at a time;
/// the interpreter must outlive it.
class Execution {
 public:
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  ~Execution();

  /// The instruction that comes next; the instruction count when the run has ended.
  [[nodiscard]] std::size_t next() const { return run_.next; }
  [[nodiscard]] bool has_ended() const { return run_.next >= run_.program.steps().size(); }

  /// Executes one instruction. Errors: those of Interpreter::run().
  [[nodiscard]] Status step();

  [[nodiscard]] const StoredTensor& input(int index) const {
    return run_.frame.inputs[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] std::int64_t symbol(int index) const {
    return run_.frame.symbols[static_cast<std::size_t>(index)];
  }
  /// A tensor register that has been written.
  [[nodiscard]] const StoredTensor& tensor(int index) const {
    return run_.frame.tensor(index).value;
  }
  [[nodiscard]] std::int64_t size(int index) const {
    return run_.frame.sizes[static_cast<std::size_t>(index)];
  }
  /// An output that has been stored.
  [[nodiscard]] const StoredTensor& output(int index) const {
    return run_.frame.outputs[static_cast<std::size_t>(index)];
  }

  /// Instructions from next() up to `end` have been executed otherwise: registers that nobody reads
  /// any more are emptied. Then set what they wrote.
  void skip_to(std::size_t end);
  void set_tensor(int index, StoredTensor value);
  void set_size(int index, std::int64_t value) {
    run_.frame.sizes[static_cast<std::size_t>(index)] = value;
  }
  /// `value` is row-major and owns its memory.
  void set_output(int index, StoredTensor value) {
    run_.frame.outputs[static_cast<std::size_t>(index)] = std::move(value);
  }

  /// The outputs, once the run has ended.
  [[nodiscard]] Result<std::vector<StoredTensor>> take_outputs();

 private:
  friend class Interpreter;
  Execution(Interpreter& interpreter, std::unique_ptr<Frame> frame,
            const Interpreter::Arguments& arguments);
  void release(Range registers);

  Interpreter& interpreter_;
  std::unique_ptr<Frame> frame_;
  Run run_;
};

}  // namespace pliant::interp
