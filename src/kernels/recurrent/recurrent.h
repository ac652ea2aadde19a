#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"
#include "kernels/recurrent/activation.h"

// Recurrent layers: LSTM, GRU and plain RNN over [steps, batch, inputs], one or two directions.
//
// All inputs are multiplied with their weights at once, before the first step, since that needs no
// state. A step then multiplies the state with the recurrent weights and applies the gate functions to
// the sums while they are in registers: panels of the recurrent weights hold all gates of as many hidden
// units as a vector has lanes, side by side.
//
//   weights   [gate 0: all hidden][gate 1: …]        panel of 8 hidden units:   k: g0 g1 g2 g3
//                                                                                   └ 8 lanes each
//
// Numbers: the sum of a gate is one chain: biases, inputs ascending, hidden units ascending. So a row of
// the batch has the same bits in any batch, with any thread count. A row with length l takes part in
// its first l steps (a reverse direction starts at step l - 1); later rows of y are 0.

namespace pliant::kernels::recurrent {

enum class Cell : std::uint8_t { kLstm, kGru, kRnn };

[[nodiscard]] constexpr std::int64_t gate_count(Cell cell) {
  return cell == Cell::kLstm ? 4 : cell == Cell::kGru ? 3 : 1;
}
[[nodiscard]] constexpr int function_count(Cell cell) {
  return cell == Cell::kLstm ? 3 : cell == Cell::kGru ? 2 : 1;
}

/// [directions, gates * hidden, columns] with any strides.
template <class T>
struct GateMatrix {
  const T* data = nullptr;
  std::int64_t strides[3] = {};
};

/// Where nothing else is said: row-major, null when not given or not wanted.
template <class T>
struct RecurrentArguments {
  Cell cell = Cell::kLstm;
  std::int64_t steps = 0;
  std::int64_t batch = 0;
  std::int64_t inputs = 0;
  std::int64_t hidden = 0;
  std::int64_t directions = 1;
  bool first_is_reverse = false;            ///< with one direction; of two the second is
  bool coupled = false;                     ///< LSTM: forget = 1 - input
  bool linear_before_reset = false;         ///< GRU: reset after the recurrent product
  float clip = 0.0f;                        ///< bound of the activations' arguments; 0: none
  ActivationFunction functions[2][3] = {};  ///< per direction

  const T* x = nullptr;  ///< [steps, batch, inputs]
  std::int64_t x_strides[3] = {};
  GateMatrix<T> weights;
  GateMatrix<T> recurrence;
  const T* bias = nullptr;                ///< [directions, 2 * gates * hidden]
  const std::int32_t* lengths = nullptr;  ///< [batch]; taken as if within 0..steps
  const T* initial_h = nullptr;           ///< [directions, batch, hidden]
  const T* initial_c = nullptr;           ///< [directions, batch, hidden]
  const T* peephole = nullptr;            ///< [directions, 3 * hidden]: input, output, forget

  T* y = nullptr;    ///< [steps, directions, batch, hidden]
  T* y_h = nullptr;  ///< [directions, batch, hidden]
  T* y_c = nullptr;  ///< [directions, batch, hidden]

  const float* packed_weights = nullptr;     ///< f32 only; null: packs into scratch
  const float* packed_recurrence = nullptr;  ///< f32 only; null: packs into scratch

  [[nodiscard]] std::int64_t gates() const { return gate_count(cell); }
  [[nodiscard]] bool is_reverse(std::int64_t direction) const {
    return first_is_reverse || direction == 1;
  }
  [[nodiscard]] std::int64_t length(std::int64_t row) const {
    if (lengths == nullptr) {
      return steps;
    }
    const std::int64_t given = lengths[row];
    return given < 0 ? 0 : given > steps ? steps : given;
  }

  /// See KernelCall.
  template <class Visit>
  void each_address(Visit visit) {
    visit(x);
    visit(weights.data);
    visit(recurrence.data);
    visit(bias);
    visit(lengths);
    visit(initial_h);
    visit(initial_c);
    visit(peephole);
    visit(y);
    visit(y_h);
    visit(y_c);
    visit(packed_weights);
    visit(packed_recurrence);
  }
};

/// The layers straight from the formulas, for f32, f64, f16 and bf16: states and sums in f32 (f64 for
/// f64), rounded where they are stored.
/// Scratch: reference_scratch_bytes. Threads: splits directions and rows of the batch.
template <class T>
void run_reference(const RecurrentArguments<T>& arguments, const KernelContext& context);
template <class T>
[[nodiscard]] std::size_t reference_scratch_bytes(const RecurrentArguments<T>& arguments);

/// The fast f32 layers. x needs an inner stride of 1 (or at most one input).
/// Threads: splits the product of the inputs; then directions and rows, or hidden units when there are
/// too few of those.
void run_f32(const RecurrentArguments<float>& arguments, const KernelContext& context);
[[nodiscard]] std::size_t scratch_bytes(const RecurrentArguments<float>& arguments, CpuLevel level);

// Packed forms for one CPU level: floats needed, and packing.
[[nodiscard]] std::int64_t packed_weight_elements(const RecurrentArguments<float>& arguments,
                                                  CpuLevel level);
void pack_weights(const RecurrentArguments<float>& arguments, CpuLevel level, float* packed);
[[nodiscard]] std::int64_t packed_recurrence_elements(const RecurrentArguments<float>& arguments,
                                                      CpuLevel level);
void pack_recurrence(const RecurrentArguments<float>& arguments, CpuLevel level, float* packed);

}  // namespace pliant::kernels::recurrent
