#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "bind/bind_context.h"

namespace pliant::bind {

/// Whether a view could be described over its input's memory.
enum class ViewOutcome : std::uint8_t {
  kView,
  kNeedsContiguousInput,  ///< the caller copies the input to row-major memory and asks again
};

/// Which tensor input's memory the first result may have, if shapes, strides and sizes of elements are
/// equal: the kernel has read whatever it needs of a place before it writes there.
enum class InPlace : std::uint8_t { kNever, kFirstInput, kAnyInput };

/// How a Compute or View row is carried out, in the order the functions are called. All of them are
/// free functions without state; any thread may call them.
struct Operator {
  /// Rows with kMeasures: counts over the elements of the inputs what the result sizes depend on;
  /// the shape rule reads the counts with InferenceContext::measured(). They mean nothing when
  /// `parallel` was stopped meanwhile.
  void (*measure)(BindContext&, std::span<std::int64_t> counts,
                  const ParallelFor& parallel) = nullptr;

  /// Compute rows, optional: result shapes are known, no result has memory yet. Chooses strides of
  /// results (default: row-major), asks for row-major copies of inputs and for scratch bytes.
  void (*layout)(BindContext&) = nullptr;

  /// Compute rows: everything has memory. Chooses the kernel and fills context.call; leaves it
  /// empty when there is nothing to do.
  void (*bind)(BindContext&) = nullptr;

  /// Rows with kChecksValues: looks at elements just before the kernel runs, for example at the
  /// range of indices. The error has no place yet.
  Status (*check)(const BindContext&) = nullptr;

  /// Optional, for operators with choices: which kernel bind() has chosen for this context and why
  /// not the others, for people. "; " stands between facts. Empty when there is nothing to do.
  std::string (*describe)(const BindContext&) = nullptr;

  /// Compute rows.
  InPlace in_place = InPlace::kNever;

  /// Compute rows whose results are computed row by row from rows of the first input: how many axes
  /// of `rank` tell the rows apart, the first ones in all of them. -1 if there are no such rows.
  int (*row_axes)(const isa::Instruction&, int rank) = nullptr;

  /// View rows: sets strides and data of every result over the memory of input x.
  ViewOutcome (*view)(BindContext&) = nullptr;
};

// One object per name in the Operator column of instructions.def, defined in the file of its group
// (elementwise.cc, matmul.cc, …): kMatMul and so on. kNone is empty.
#define INSTRUCTION(Name, mnemonic, code, Class, Rule, OperatorName, ...) \
  extern const Operator k##OperatorName;
#include "isa/instructions.def"

/// The operator of a row.
[[nodiscard]] const Operator& operator_of(isa::Opcode opcode);

}  // namespace pliant::bind
