#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "interp/frame.h"
#include "interp/prepared_program.h"

namespace pliant::interp {

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
  };

  /// Returns the outputs in the program's order: row-major, each with memory of its own.
  ///
  /// Errors: kShapeMismatch (extents do not fit), kInvalidArgument (for example an index out of
  /// range), kResourceExhausted. `where` is the instruction's place and the message ends with the
  /// types and shapes of its tensor operands.
  [[nodiscard]] Result<std::vector<StoredTensor>> run(const Arguments& arguments);

 private:
  [[nodiscard]] std::unique_ptr<Frame> take_frame();
  void give_back(std::unique_ptr<Frame> frame);
  Status execute(Run& run);

  PreparedProgram program_;
  Environment environment_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Frame>> frames_;  // guarded by mutex_: those that no run uses
};

}  // namespace pliant::interp
