#pragma once

#include <cstdint>

#include "base/cpu_features.h"
#include "kernels/recurrent/activation.h"

namespace pliant::kernels::recurrent {

inline constexpr int kMaxRows = 3;  ///< rows of the batch that share each load of the weights

/// One step of up to kMaxRows rows for hidden units [first_block, end_block) * lanes of one direction.
/// Vectors of hidden units are padded to whole lanes with harmless numbers.
struct StepArguments {
  std::int64_t hidden = 0;
  std::int64_t padded = 0;  ///< hidden, rounded up to whole lanes
  std::int64_t first_block = 0;
  std::int64_t end_block = 0;
  int rows = 0;
  const float* panels = nullptr;          ///< [blocks, hidden, gates, lanes]
  const float* projected[kMaxRows] = {};  ///< [gates, padded]: biases + inputs * weights
  const float* previous[kMaxRows] = {};   ///< state before the step, [padded]
  float* next[kMaxRows] = {};             ///< state after it, [padded]
  float* cell[kMaxRows] = {};             ///< LSTM: cell, updated in place
  const float* peephole = nullptr;        ///< LSTM: [3, padded], or null
  const float* hidden_bias = nullptr;     ///< GRU, linear before reset: [padded]
  float* update[kMaxRows] = {};           ///< GRU, else: the update gate between its two passes
  float* reset_state[kMaxRows] = {};      ///< GRU, else: reset gate * state
  const ActivationFunction* functions = nullptr;
  float clip = 0.0f;
  bool coupled = false;
};

using Step = void (*)(const StepArguments&);

struct StepKernels {
  std::int64_t lanes;
  Step lstm;
  Step rnn;
  Step gru_linear_before_reset;
  Step gru_gates;   ///< writes update and reset_state
  Step gru_hidden;  ///< needs reset_state of all hidden units
};

#define STEP_KERNELS(Level, space)       \
  namespace space {                      \
  extern const StepKernels kStepKernels; \
  }
#include "kernels/recurrent/kernels.inc"

[[nodiscard]] inline const StepKernels& step_kernels(CpuLevel level) {
#define STEP_KERNELS(Level, space) \
  if (level == CpuLevel::Level) {  \
    return space::kStepKernels;    \
  }
#include "kernels/recurrent/kernels.inc"
  return portable::kStepKernels;
}

}  // namespace pliant::kernels::recurrent
