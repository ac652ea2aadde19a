// Steps of recurrent layers for one CPU level. Included by step_{portable,avx2,avx512}.cc.

#include "kernels/recurrent/step.h"
#include "kernels/simd/math.h"
#include "kernels/simd/vector.h"

namespace pliant::kernels::recurrent::PLIANT_SIMD_LEVEL {
namespace {

using namespace kernels::
    PLIANT_SIMD_LEVEL;  // NOLINT(google-build-using-namespace): the level's vectors

PLIANT_INLINE Float apply(const ActivationFunction& function, float clip, Float x) {
  if (clip > 0.0f) {
    // A NaN stays: comparisons with it are false.
    x = select(x > clip, broadcast(clip), x);
    x = select(x < -clip, broadcast(-clip), x);
  }
  const Float alpha = broadcast(function.alpha);
  const Float beta = broadcast(function.beta);
  const Float zero{};
  const Float one = broadcast(1.0f);
  switch (function.kind) {
    case Activation::kSigmoid:
      return sigmoid(x);
    case Activation::kTanh:
      return hyperbolic_tangent(x);
    case Activation::kRelu:
      return select(x < zero, zero, x);
    case Activation::kAffine:
      return alpha * x + beta;
    case Activation::kLeakyRelu:
      return select(x < zero, alpha * x, x);
    case Activation::kThresholdedRelu:
      return select(x > alpha, x, zero);
    case Activation::kScaledTanh:
      return alpha * hyperbolic_tangent(beta * x);
    case Activation::kHardSigmoid: {
      const Float line = alpha * x + beta;
      const Float below = select(line > one, one, line);
      return select(below < zero, zero, below);
    }
    case Activation::kElu:
      return select(x < zero, alpha * exponential_minus_one(x), x);
    case Activation::kSoftsign:
      return x / (one + absolute(x));
    case Activation::kSoftplus:
      return select(x > zero, x, zero) + logarithm_of_one_plus(exponential(-absolute(x)));
  }
  return x;
}

/// Sums of `kGates` gates for kRows rows and kBlocks vectors of hidden units, in registers.
template <int kGates, int kRows, int kBlocks>
struct Sums {
  Float of[kBlocks][kRows][kGates];
};

/// Adds state * recurrent weights for gates [kFirst, kFirst + kGates) of kPanelGates, hidden units ascending.
template <int kPanelGates, int kFirst, int kGates, int kRows, int kBlocks>
PLIANT_INLINE void add_products(const StepArguments& arguments, const float* const* state,
                                std::int64_t block, Sums<kGates, kRows, kBlocks>& sums) {
  const std::int64_t panel_size = arguments.hidden * kPanelGates * kWidth;
  const float* panel = arguments.panels + block * panel_size + kFirst * kWidth;
  for (std::int64_t k = 0; k < arguments.hidden; ++k) {
#pragma GCC unroll 4
    for (int b = 0; b < kBlocks; ++b) {
#pragma GCC unroll 4
      for (int g = 0; g < kGates; ++g) {
        const Float weight = load(panel + b * panel_size + g * kWidth);
#pragma GCC unroll 4
        for (int r = 0; r < kRows; ++r) {
          sums.of[b][r][g] = fused_multiply_add(broadcast(state[r][k]), weight, sums.of[b][r][g]);
        }
      }
    }
    panel += kPanelGates * kWidth;
  }
}

template <int kFirst, int kGates, int kRows, int kBlocks>
PLIANT_INLINE void start_from_inputs(const StepArguments& arguments, std::int64_t block,
                                     Sums<kGates, kRows, kBlocks>& sums) {
  for (int b = 0; b < kBlocks; ++b) {
    for (int r = 0; r < kRows; ++r) {
      for (int g = 0; g < kGates; ++g) {
        sums.of[b][r][g] =
            load(arguments.projected[r] + (kFirst + g) * arguments.padded + (block + b) * kWidth);
      }
    }
  }
}

// Each cell says how many gates it sums and what it does for kBlocks blocks of kRows rows.

struct Lstm {
  static constexpr int kGates = 4;
  template <int kRows, int kBlocks>
  static PLIANT_INLINE void run(const StepArguments& a, std::int64_t block) {
    Sums<4, kRows, kBlocks> sums;
    start_from_inputs<0>(a, block, sums);
    add_products<4, 0>(a, a.previous, block, sums);
    for (int b = 0; b < kBlocks; ++b) {
      const std::int64_t at = (block + b) * kWidth;
      for (int r = 0; r < kRows; ++r) {
        const Float* gate = sums.of[b][r];
        const Float before = load(a.cell[r] + at);
        Float to_input = gate[0];
        Float to_output = gate[1];
        Float to_forget = gate[2];
        if (a.peephole != nullptr) {
          to_input = fused_multiply_add(load(a.peephole + at), before, to_input);
          to_forget = fused_multiply_add(load(a.peephole + 2 * a.padded + at), before, to_forget);
        }
        const Float input = apply(a.functions[0], a.clip, to_input);
        const Float forget =
            a.coupled ? broadcast(1.0f) - input : apply(a.functions[0], a.clip, to_forget);
        const Float candidate = apply(a.functions[1], a.clip, gate[3]);
        const Float cell = fused_multiply_add(forget, before, input * candidate);
        if (a.peephole != nullptr) {
          to_output = fused_multiply_add(load(a.peephole + a.padded + at), cell, to_output);
        }
        store(a.cell[r] + at, cell);
        store(a.next[r] + at,
              apply(a.functions[0], a.clip, to_output) * apply(a.functions[2], a.clip, cell));
      }
    }
  }
};

struct Rnn {
  static constexpr int kGates = 1;
  template <int kRows, int kBlocks>
  static PLIANT_INLINE void run(const StepArguments& a, std::int64_t block) {
    Sums<1, kRows, kBlocks> sums;
    start_from_inputs<0>(a, block, sums);
    add_products<1, 0>(a, a.previous, block, sums);
    for (int b = 0; b < kBlocks; ++b) {
      for (int r = 0; r < kRows; ++r) {
        store(a.next[r] + (block + b) * kWidth, apply(a.functions[0], a.clip, sums.of[b][r][0]));
      }
    }
  }
};

PLIANT_INLINE Float mix(Float update, Float candidate, Float before) {
  return fused_multiply_add(update, before, (broadcast(1.0f) - update) * candidate);
}

struct GruLinearBeforeReset {
  static constexpr int kGates = 3;
  template <int kRows, int kBlocks>
  static PLIANT_INLINE void run(const StepArguments& a, std::int64_t block) {
    Sums<3, kRows, kBlocks> sums;
    start_from_inputs<0>(a, block, sums);
    for (int b = 0; b < kBlocks; ++b) {
      for (int r = 0; r < kRows; ++r) {
        sums.of[b][r][2] = load(a.hidden_bias + (block + b) * kWidth);
      }
    }
    add_products<3, 0>(a, a.previous, block, sums);
    for (int b = 0; b < kBlocks; ++b) {
      const std::int64_t at = (block + b) * kWidth;
      for (int r = 0; r < kRows; ++r) {
        const Float update = apply(a.functions[0], a.clip, sums.of[b][r][0]);
        const Float reset = apply(a.functions[0], a.clip, sums.of[b][r][1]);
        const Float inputs = load(a.projected[r] + 2 * a.padded + at);
        const Float candidate =
            apply(a.functions[1], a.clip, fused_multiply_add(reset, sums.of[b][r][2], inputs));
        store(a.next[r] + at, mix(update, candidate, load(a.previous[r] + at)));
      }
    }
  }
};

struct GruGates {
  static constexpr int kGates = 2;
  template <int kRows, int kBlocks>
  static PLIANT_INLINE void run(const StepArguments& a, std::int64_t block) {
    Sums<2, kRows, kBlocks> sums;
    start_from_inputs<0>(a, block, sums);
    add_products<3, 0>(a, a.previous, block, sums);
    for (int b = 0; b < kBlocks; ++b) {
      const std::int64_t at = (block + b) * kWidth;
      for (int r = 0; r < kRows; ++r) {
        store(a.update[r] + at, apply(a.functions[0], a.clip, sums.of[b][r][0]));
        store(a.reset_state[r] + at,
              apply(a.functions[0], a.clip, sums.of[b][r][1]) * load(a.previous[r] + at));
      }
    }
  }
};

struct GruHidden {
  static constexpr int kGates = 1;
  template <int kRows, int kBlocks>
  static PLIANT_INLINE void run(const StepArguments& a, std::int64_t block) {
    Sums<1, kRows, kBlocks> sums;
    start_from_inputs<2>(a, block, sums);
    add_products<3, 2>(a, a.reset_state, block, sums);
    for (int b = 0; b < kBlocks; ++b) {
      const std::int64_t at = (block + b) * kWidth;
      for (int r = 0; r < kRows; ++r) {
        const Float candidate = apply(a.functions[1], a.clip, sums.of[b][r][0]);
        store(a.next[r] + at, mix(load(a.update[r] + at), candidate, load(a.previous[r] + at)));
      }
    }
  }
};

/// One row alone has too few sums to keep the multipliers busy, so it takes several blocks at a time.
template <class Cell>
void step(const StepArguments& arguments) {
  constexpr int kBlocksAtOnce = Cell::kGates == 1 ? 4 : 2;
  std::int64_t block = arguments.first_block;
  if (arguments.rows == 1) {
    for (; block + kBlocksAtOnce <= arguments.end_block; block += kBlocksAtOnce) {
      Cell::template run<1, kBlocksAtOnce>(arguments, block);
    }
  }
  for (; block < arguments.end_block; ++block) {
    if (arguments.rows == 1) {
      Cell::template run<1, 1>(arguments, block);
    } else if (arguments.rows == 2) {
      Cell::template run<2, 1>(arguments, block);
    } else {
      Cell::template run<3, 1>(arguments, block);
    }
  }
}

}  // namespace

const StepKernels kStepKernels{
    kWidth, step<Lstm>, step<Rnn>, step<GruLinearBeforeReset>, step<GruGates>, step<GruHidden>};

}  // namespace pliant::kernels::recurrent::PLIANT_SIMD_LEVEL
