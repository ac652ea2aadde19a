#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isa/operand.h"
#include "plan/decline_reason.h"
#include "program/program.h"
#include "semantics/inference_context.h"
#include "shapes/entry.h"
#include "shapes/interval.h"
#include "tensor/stored_tensor.h"

namespace pliant::plan {

/// Where a segment finds the value of one of its entries.
struct EntrySource {
  enum class Kind : std::uint8_t {
    kAxis,     ///< extent `position` of live-in `index`
    kElement,  ///< element `position` (row-major) of live-in `index`
    kSize,     ///< size register `index`
    kSymbol,   ///< Program::symbols[index], which no live-in of the segment carries
  };
  Kind kind = Kind::kAxis;
  int index = 0;
  int position = 0;

  friend bool operator==(const EntrySource&, const EntrySource&) = default;
};

/// A tensor that a segment is given.
struct LiveIn {
  enum class Kind : std::uint8_t { kProgramInput, kRegister };
  Kind kind = Kind::kProgramInput;
  int index = 0;  ///< into Program::inputs or Program::registers

  friend bool operator==(const LiveIn&, const LiveIn&) = default;
};

/// What a segment leaves behind.
struct LiveOut {
  enum class Kind : std::uint8_t { kProgramOutput, kTensorRegister, kSizeRegister };
  Kind kind = Kind::kProgramOutput;
  int index = 0;  ///< into Program::outputs or Program::registers
  int value = 0;  ///< into Graph::values, for sizes into Graph::extents
};

/// A tensor of a graph. Every value is defined once.
struct Value {
  enum class Kind : std::uint8_t { kLiveIn, kConstant, kComputed };
  Kind kind = Kind::kComputed;
  int index = 0;                 ///< into Graph::live_ins or Graph::constants
  bool dropped = false;          ///< an optional result that the program does not ask for
  semantics::TensorFacts facts;  ///< the rank is known
  /// Elements of a small integer tensor in row-major order, where they follow from the entries.
  std::optional<semantics::ExtentList> elements;
};

/// What one step of a plan does: an instruction, or several that are fused.
///
/// Operands are those of the instruction set, read differently: Form::kRegister is a value,
/// Form::kSymbol is an extent of the graph (as a size, or as a 0-d i64 tensor), Form::kConstant does
/// not occur in tensor operands (constants are values). Axis and element forms do not occur.
struct Node {
  /// More than one: the first one's result goes through the others, which are elementwise, piece by
  /// piece while it is in cache.
  std::vector<isa::Instruction> instructions;
  std::size_t origin = 0;  ///< instruction of the program that this comes from, for messages
  /// More than 0: can run together with the next node, block of rows by block of rows; so many axes,
  /// the first ones of all results, tell the rows apart.
  int rows_with_next = 0;
};

/// What must hold of a run: that a number can be computed without overflow or division by zero, and
/// lies in a range (elements that were followed through types narrower than 64 bits).
struct Condition {
  semantics::Extent extent;
  shapes::Interval range;
};

/// A segment of a program in the form that passes work on: a list of nodes in order of execution
/// over values that are each defined once, and extents that are expressions of the segment's
/// entries. Plain data.
struct Graph {
  const Program* program = nullptr;  ///< kept alive by whoever loaded it
  std::size_t first = 0;             ///< instructions of the program, [first, end)
  std::size_t end = 0;
  DeclineReason end_reason = DeclineReason::kNone;  ///< why there; kNone: nothing follows

  std::shared_ptr<semantics::ExpressionPool> pool;
  std::vector<shapes::Entry> entries;
  std::vector<EntrySource> entry_sources;  ///< one per entry
  std::vector<int> entry_symbols;          ///< one per entry: its symbol in the pool

  std::vector<LiveIn> live_ins;
  std::vector<LiveOut> live_outs;
  std::vector<Value> values;
  std::vector<semantics::Extent> extents;
  std::vector<StoredTensor> constants;
  /// By constant: whether it lives as long as the program, so that packed forms of it may be kept.
  /// Those behind the last one live as long as one plan.
  std::vector<bool> lasting_constants;
  std::vector<Node> nodes;
  /// Instructions of the segment, as captured, whose shape rules might refuse some sizes or say
  /// something else than `values` do: each new signature is put to them. Passes leave them alone.
  std::vector<isa::Instruction> rules;
  std::vector<Condition> conditions;  ///< checked with the sizes of each new signature
};

}  // namespace pliant::plan
