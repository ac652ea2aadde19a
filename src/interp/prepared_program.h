#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "bind/operator.h"
#include "program/program.h"

namespace pliant::interp {

struct Run;
struct Step;

/// Executes one instruction; it may change `run.next`. The error has no place yet.
using Handler = Status (*)(Run& run, const Step& step);

/// Where a tensor operand's value is found while running.
struct TensorSource {
  enum class Kind : std::uint8_t {
    kRegister,  ///< tensor register
    kConstant,  ///< PreparedProgram::constants
    kSize,      ///< size register, as a 0-d i64 tensor
    kSymbol,    ///< symbol, as a 0-d i64 tensor
  };
  Kind kind = Kind::kRegister;
  int operand = 0;  ///< position in the instruction
  int index = 0;
};

/// Where a tensor result goes.
struct TensorTarget {
  int operand = 0;     ///< position in the instruction
  int part = 0;        ///< position in a list of results
  int index = -1;      ///< register, or -1 when the program drops it
  bool wanted = true;  ///< kernels write it: all but optional results that are not asked for
};

/// A part of one of the vectors of a PreparedProgram.
struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// One instruction, decoded: everything that does not depend on the run has been looked up.
struct Step {
  Handler execute = nullptr;
  const isa::Instruction* instruction = nullptr;
  const bind::Operator* op = nullptr;
  Range sources;         ///< PreparedProgram::sources, in operand order
  Range targets;         ///< PreparedProgram::targets, in operand order
  Range sizes;           ///< PreparedProgram::operands: given Size and Sizes operands
  Range numbers;         ///< PreparedProgram::operands: given Numbers operands
  Range release_before;  ///< PreparedProgram::releases: registers that no path from here on reads
  Range release_after;   ///< PreparedProgram::releases
  std::int64_t target = 0;  ///< step that the label names; for LOOP_END the one after LOOP_BEGIN
  int loop = -1;            ///< LOOP_BEGIN and LOOP_END: which loop
  bool fixed_geometry = false;  ///< the same input gives the same view in every run
};

/// A program in the form that the interpreter walks: flat, with no names and nothing to look up.
/// Made once at load; immutable, so any number of runs share it.
class PreparedProgram {
 public:
  explicit PreparedProgram(VerifiedProgram program);
  PreparedProgram(const PreparedProgram&) = delete;
  PreparedProgram& operator=(const PreparedProgram&) = delete;

  [[nodiscard]] const Program& program() const { return *program_; }
  [[nodiscard]] std::span<const Step> steps() const { return steps_; }
  /// The program's constants, then numbers that stand as tensor operands.
  [[nodiscard]] const StoredTensor& constant(int index) const {
    return constants_[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] int loop_count() const { return loop_count_; }
  /// Most tensor operands of one instruction.
  [[nodiscard]] std::size_t max_sources() const { return max_sources_; }

  [[nodiscard]] std::span<const TensorSource> sources(const Step& step) const {
    return std::span(sources_).subspan(step.sources.first, step.sources.count);
  }
  [[nodiscard]] std::span<const TensorTarget> targets(const Step& step) const {
    return std::span(targets_).subspan(step.targets.first, step.targets.count);
  }
  [[nodiscard]] std::span<const int> operands(Range range) const {
    return std::span(operands_).subspan(range.first, range.count);
  }
  [[nodiscard]] std::span<const int> releases(Range range) const {
    return std::span(releases_).subspan(range.first, range.count);
  }

 private:
  Step decode(const isa::Instruction& instruction);
  void add_targets(int position, const isa::Operand& operand, bool required);
  void add_sources(int position, const isa::Operand& operand);
  void add_source(int position, const isa::Operand& operand);
  void number_loops();
  void place_releases();

  VerifiedProgram program_;
  std::vector<Step> steps_;
  std::vector<StoredTensor> constants_;
  std::vector<TensorSource> sources_;
  std::vector<TensorTarget> targets_;
  std::vector<int> operands_;
  std::vector<int> releases_;
  int loop_count_ = 0;
  std::size_t max_sources_ = 0;
};

}  // namespace pliant::interp
