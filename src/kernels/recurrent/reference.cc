#include <algorithm>
#include <cmath>
#include <type_traits>

#include "kernels/recurrent/recurrent.h"
#include "kernels/wide_element.h"

namespace pliant::kernels::recurrent {
namespace {

template <class Wide>
Wide apply(const ActivationFunction& function, float bound, Wide x) {
  if (bound > 0.0f) {
    const Wide clip = bound;
    x = x > clip ? clip : x < -clip ? -clip : x;
  }
  const Wide alpha = function.alpha;
  const Wide beta = function.beta;
  const Wide one = 1;
  switch (function.kind) {
    case Activation::kSigmoid:
      return one / (one + std::exp(-x));
    case Activation::kTanh:
      return std::tanh(x);
    case Activation::kRelu:
      return x < 0 ? Wide{} : x;
    case Activation::kAffine:
      return alpha * x + beta;
    case Activation::kLeakyRelu:
      return x < 0 ? alpha * x : x;
    case Activation::kThresholdedRelu:
      return x > alpha ? x : Wide{};
    case Activation::kScaledTanh:
      return alpha * std::tanh(beta * x);
    case Activation::kHardSigmoid: {
      const Wide line = alpha * x + beta;
      return line > one ? one : line < 0 ? Wide{} : line;
    }
    case Activation::kElu:
      return x < 0 ? alpha * std::expm1(x) : x;
    case Activation::kSoftsign:
      return x / (one + std::fabs(x));
    case Activation::kSoftplus:
      return (x > 0 ? x : Wide{}) + std::log1p(std::exp(-std::fabs(x)));
  }
  return x;
}

/// One direction of one row of the batch; `state`, `cell`, `sums` and `scaled` are scratch memory.
template <class T>
class RowRun {
 public:
  using Wide = Widened<T>;

  RowRun(const RecurrentArguments<T>& arguments, std::int64_t direction, std::int64_t row,
         Wide* memory)
      : a_(arguments), direction_(direction), row_(row) {
    state_ = memory;
    cell_ = state_ + a_.hidden;
    scaled_ = cell_ + a_.hidden;
    sums_ = scaled_ + a_.hidden;
  }

  void run() {
    const std::int64_t at = (direction_ * a_.batch + row_) * a_.hidden;
    for (std::int64_t j = 0; j < a_.hidden; ++j) {
      state_[j] = a_.initial_h != nullptr ? widen(a_.initial_h[at + j]) : Wide{};
      cell_[j] = a_.initial_c != nullptr ? widen(a_.initial_c[at + j]) : Wide{};
    }
    const std::int64_t length = a_.length(row_);
    for (std::int64_t s = 0; s < length; ++s) {
      const std::int64_t t = a_.is_reverse(direction_) ? length - 1 - s : s;
      step(a_.x + t * a_.x_strides[0] + row_ * a_.x_strides[1]);
      write(t, [&](std::int64_t j) { return narrow<T>(state_[j]); });
    }
    for (std::int64_t t = length; t < a_.steps; ++t) {
      write(t, [](std::int64_t) { return T{}; });
    }
    for (std::int64_t j = 0; j < a_.hidden; ++j) {
      if (a_.y_h != nullptr) {
        a_.y_h[at + j] = narrow<T>(state_[j]);
      }
      if (a_.y_c != nullptr) {
        a_.y_c[at + j] = narrow<T>(cell_[j]);
      }
    }
  }

 private:
  template <class Value>
  void write(std::int64_t t, Value value) {
    if (a_.y == nullptr) {
      return;
    }
    T* y = a_.y + ((t * a_.directions + direction_) * a_.batch + row_) * a_.hidden;
    for (std::int64_t j = 0; j < a_.hidden; ++j) {
      y[j] = value(j);
    }
  }

  [[nodiscard]] Wide bias(std::int64_t side, std::int64_t gate_row) const {
    const std::int64_t rows = a_.gates() * a_.hidden;
    return a_.bias != nullptr ? widen(a_.bias[(2 * direction_ + side) * rows + gate_row]) : Wide{};
  }
  [[nodiscard]] static Wide dot(const GateMatrix<T>& matrix, std::int64_t direction,
                                std::int64_t gate_row, std::int64_t count, auto element, Wide sum) {
    const T* row = matrix.data + direction * matrix.strides[0] + gate_row * matrix.strides[1];
    for (std::int64_t k = 0; k < count; ++k) {
      sum += element(k) * widen(row[k * matrix.strides[2]]);
    }
    return sum;
  }
  [[nodiscard]] Wide from_inputs(const T* x, std::int64_t gate_row, Wide start) const {
    return dot(
        a_.weights, direction_, gate_row, a_.inputs,
        [&](std::int64_t k) { return widen(x[k * a_.x_strides[2]]); }, start);
  }
  [[nodiscard]] Wide from_state(const Wide* state, std::int64_t gate_row, Wide start) const {
    return dot(
        a_.recurrence, direction_, gate_row, a_.hidden, [&](std::int64_t k) { return state[k]; },
        start);
  }
  [[nodiscard]] Wide function(int which, Wide x) const {
    return apply(a_.functions[direction_][which], a_.clip, x);
  }

  void step(const T* x) {
    const std::int64_t hidden = a_.hidden;
    const std::int64_t rows = a_.gates() * hidden;
    // The hidden gate of a GRU sees its recurrent product later.
    const std::int64_t plain = a_.cell == Cell::kGru ? 2 * hidden : rows;
    for (std::int64_t i = 0; i < plain; ++i) {
      sums_[i] = from_state(state_, i, from_inputs(x, i, bias(0, i) + bias(1, i)));
    }
    switch (a_.cell) {
      case Cell::kLstm:
        return finish_lstm();
      case Cell::kGru:
        return finish_gru(x);
      case Cell::kRnn:
        for (std::int64_t j = 0; j < hidden; ++j) {
          state_[j] = function(0, sums_[j]);
        }
        return;
    }
  }

  void finish_lstm() {
    const std::int64_t hidden = a_.hidden;
    const auto peephole = [&](std::int64_t gate, std::int64_t j) {
      return a_.peephole != nullptr ? widen(a_.peephole[(3 * direction_ + gate) * hidden + j])
                                    : Wide{};
    };
    for (std::int64_t j = 0; j < hidden; ++j) {
      const Wide input = function(0, sums_[j] + peephole(0, j) * cell_[j]);
      const Wide forget =
          a_.coupled ? 1 - input : function(0, sums_[2 * hidden + j] + peephole(2, j) * cell_[j]);
      cell_[j] = forget * cell_[j] + input * function(1, sums_[3 * hidden + j]);
      const Wide output = function(0, sums_[hidden + j] + peephole(1, j) * cell_[j]);
      state_[j] = output * function(2, cell_[j]);
    }
  }

  void finish_gru(const T* x) {
    const std::int64_t hidden = a_.hidden;
    for (std::int64_t j = 0; j < hidden; ++j) {
      sums_[j] = function(0, sums_[j]);
      sums_[hidden + j] = function(0, sums_[hidden + j]);
      scaled_[j] = sums_[hidden + j] * state_[j];
    }
    for (std::int64_t j = 0; j < hidden; ++j) {
      const std::int64_t gate_row = 2 * hidden + j;
      if (a_.linear_before_reset) {
        const Wide product = from_state(state_, gate_row, bias(1, gate_row));
        sums_[gate_row] = from_inputs(x, gate_row, bias(0, gate_row)) + sums_[hidden + j] * product;
      } else {
        sums_[gate_row] = from_state(
            scaled_, gate_row, from_inputs(x, gate_row, bias(0, gate_row) + bias(1, gate_row)));
      }
    }
    for (std::int64_t j = 0; j < hidden; ++j) {
      state_[j] = (1 - sums_[j]) * function(1, sums_[2 * hidden + j]) + sums_[j] * state_[j];
    }
  }

  const RecurrentArguments<T>& a_;
  std::int64_t direction_;
  std::int64_t row_;
  Wide* state_;
  Wide* cell_;
  Wide* scaled_;
  Wide* sums_;
};

template <class T>
std::int64_t elements_per_row(const RecurrentArguments<T>& arguments) {
  return (3 + arguments.gates()) * arguments.hidden;
}

}  // namespace

template <class T>
std::size_t reference_scratch_bytes(const RecurrentArguments<T>& arguments) {
  return static_cast<std::size_t>(arguments.directions * arguments.batch *
                                  elements_per_row(arguments)) *
         sizeof(Widened<T>);
}

template <class T>
void run_reference(const RecurrentArguments<T>& arguments, const KernelContext& context) {
  auto* memory = reinterpret_cast<Widened<T>*>(context.scratch);
  context.parallel.run(arguments.directions * arguments.batch, 1,
                       [&](std::int64_t begin, std::int64_t end, int) {
                         for (std::int64_t i = begin; i < end; ++i) {
                           RowRun<T>(arguments, i / arguments.batch, i % arguments.batch,
                                     memory + i * elements_per_row(arguments))
                               .run();
                         }
                       });
}

#define PLIANT_REFERENCE(T)                                                        \
  template void run_reference(const RecurrentArguments<T>&, const KernelContext&); \
  template std::size_t reference_scratch_bytes(const RecurrentArguments<T>&);
PLIANT_REFERENCE(float)
PLIANT_REFERENCE(double)
PLIANT_REFERENCE(Half)
PLIANT_REFERENCE(BFloat16)
#undef PLIANT_REFERENCE

}  // namespace pliant::kernels::recurrent
