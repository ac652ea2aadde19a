#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bind/bind_context.h"
#include "interp/known_values.h"
#include "interp/prepared_program.h"
#include "memory/pool.h"
#include "semantics/inference_context.h"
#include "threads/parallel_for.h"

namespace pliant::interp {

/// What all runs of a program share.
struct Environment {
  memory::Pool& pool;
  ParallelFor& parallel;
  CpuLevel level = CpuLevel::kPortable;
  bind::PackedConstants* packed = nullptr;  ///< null: no packed forms are kept
};

/// A tensor register.
struct TensorRegister {
  StoredTensor value;
  /// True when the value is a constant, or a view of one that is the same in every run, so that
  /// packed forms of it are bounded in number and may be kept.
  bool fixed = false;
};

/// A counted loop that is running. Apart from the iteration register, which the body may overwrite.
struct LoopState {
  std::int64_t iteration = 0;
  std::int64_t trip_count = 0;
};

/// The memory of one run in flight. Kept and used again, so that a run allocates next to nothing.
class Frame {
 public:
  explicit Frame(const PreparedProgram& program);
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  /// Lets go of all tensors.
  void clear();

  [[nodiscard]] TensorRegister& tensor(int index) {
    return tensors[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] const TensorRegister& tensor(int index) const {
    return tensors[static_cast<std::size_t>(index)];
  }
  /// The question to a rule, about another instruction.
  [[nodiscard]] semantics::InferenceContext& inference(const isa::Instruction& instruction);

  std::vector<TensorRegister> tensors;  ///< by register number; those of size registers stay empty
  std::vector<std::int64_t> sizes;      ///< by register number
  std::vector<std::int64_t> symbols;
  std::vector<LoopState> loops;
  std::span<const StoredTensor> inputs;  ///< of the caller, in the program's order
  std::vector<StoredTensor> outputs;

  // For the running instruction.
  bind::BindContext context;
  std::array<std::int64_t, KnownValues::kMaxMeasured> measured{};
  std::vector<std::int64_t>
      scalars;  ///< sizes that stand as tensors; as many as operands, never moved
  std::vector<std::shared_ptr<Storage>>
      copies;  ///< of operands that were wanted in row-major order
  std::vector<std::shared_ptr<Storage>> results;  ///< one per target
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  std::shared_ptr<Storage> scratch;

 private:
  KnownValues known_values_;
  std::optional<semantics::InferenceContext> inference_;
};

/// One run: what its handlers are given.
struct Run {
  const PreparedProgram& program;
  const Environment& environment;
  ParallelFor& parallel;  ///< of this run
  Frame& frame;
  std::uint64_t number = 0;  ///< for random numbers
  std::size_t next = 0;      ///< step to execute next
};

}  // namespace pliant::interp
