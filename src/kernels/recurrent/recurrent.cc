#include "kernels/recurrent/recurrent.h"

#include <algorithm>

#include "kernels/gemm/gemm.h"
#include "kernels/recurrent/step.h"
#include "kernels/scratch_plan.h"

namespace pliant::kernels::recurrent {
namespace {

using Arguments = RecurrentArguments<float>;

// A step below this many multiplications is not worth a fork and join for each step.
constexpr std::int64_t kProductsPerParallelStep = 131072;

std::int64_t padded_hidden(const Arguments& arguments, CpuLevel level) {
  const std::int64_t lanes = step_kernels(level).lanes;
  return (arguments.hidden + lanes - 1) / lanes * lanes;
}

/// The pieces of scratch memory; with a null base it only counts. States are [directions, batch, padded].
struct Scratch {
  float* packed_weights = nullptr;
  float* packed_recurrence = nullptr;
  float* projected = nullptr;  // [directions, steps, batch, gates, padded]
  float* start =
      nullptr;  // [directions, gates, padded]: what the products of the inputs start from
  float* hidden_bias = nullptr;  // [directions, padded]
  float* peephole = nullptr;     // [directions, 3, padded]
  float* states[2] = {};         // before and after a step
  float* cells = nullptr;
  float* update = nullptr;
  float* reset_state = nullptr;
  std::size_t bytes = 0;

  Scratch(std::byte* base, const Arguments& a, CpuLevel level) {
    const std::int64_t padded = padded_hidden(a, level);
    const std::int64_t state = a.directions * a.batch * padded;
    ScratchPlan plan(base);
    const auto take = [&](float*& piece, std::int64_t count) { piece = plan.take<float>(count); };
    take(packed_weights, a.packed_weights != nullptr ? 0 : packed_weight_elements(a, level));
    take(packed_recurrence,
         a.packed_recurrence != nullptr ? 0 : packed_recurrence_elements(a, level));
    take(projected, a.steps * state * a.gates());
    take(start, a.directions * a.gates() * padded);
    take(hidden_bias, a.directions * padded);
    take(peephole, a.directions * 3 * padded);
    take(states[0], state);
    take(states[1], state);
    take(cells, state);
    take(update, a.cell == Cell::kGru ? state : 0);
    take(reset_state, a.cell == Cell::kGru ? state : 0);
    bytes = plan.used();
  }
};

/// Runs the layer; one object per call.
class Layer {
 public:
  Layer(const Arguments& arguments, const Scratch& scratch, const KernelContext& context)
      : a_(arguments),
        scratch_(scratch),
        context_(context),
        kernels_(step_kernels(context.level)),
        padded_(padded_hidden(arguments, context.level)),
        blocks_(padded_ / kernels_.lanes),
        panels_(arguments.packed_recurrence != nullptr ? arguments.packed_recurrence
                                                       : scratch.packed_recurrence) {}

  void run() {
    if (a_.packed_recurrence == nullptr) {
      pack_recurrence(a_, context_.level, scratch_.packed_recurrence);
    }
    prepare_vectors();
    for (std::int64_t direction = 0; direction < a_.directions && a_.steps > 0; ++direction) {
      project_inputs(direction);
    }
    const std::int64_t rows = a_.directions * a_.batch;
    const std::int64_t step_products = rows * a_.gates() * a_.hidden * a_.hidden;
    const bool few_rows = rows < context_.parallel.worker_count();
    if (few_rows && step_products >= kProductsPerParallelStep) {
      run_steps_in_parallel();
    } else {
      run_rows_in_parallel(step_products);
    }
    finish();
  }

 private:
  [[nodiscard]] float* state_row(float* states, std::int64_t direction, std::int64_t row) const {
    return states + (direction * a_.batch + row) * padded_;
  }

  /// Copies `hidden` elements and pads them with zeros.
  void copy_padded(const float* from, float* to) const {
    if (from != nullptr) {
      std::copy_n(from, a_.hidden, to);
    } else {
      std::fill_n(to, a_.hidden, 0.0f);
    }
    std::fill(to + a_.hidden, to + padded_, 0.0f);
  }

  void prepare_vectors() const {
    const std::int64_t gates = a_.gates();
    for (std::int64_t d = 0; d < a_.directions; ++d) {
      const auto bias = [&](std::int64_t side, std::int64_t gate) {
        return a_.bias == nullptr ? nullptr : a_.bias + ((2 * d + side) * gates + gate) * a_.hidden;
      };
      for (std::int64_t gate = 0; gate < gates; ++gate) {
        float* start = scratch_.start + (d * gates + gate) * padded_;
        copy_padded(bias(0, gate), start);
        const bool separate = a_.cell == Cell::kGru && a_.linear_before_reset && gate == 2;
        for (std::int64_t j = 0; a_.bias != nullptr && !separate && j < a_.hidden; ++j) {
          start[j] += bias(1, gate)[j];
        }
      }
      copy_padded(a_.cell == Cell::kGru ? bias(1, 2) : nullptr, scratch_.hidden_bias + d * padded_);
      for (std::int64_t i = 0; a_.peephole != nullptr && i < 3; ++i) {
        copy_padded(a_.peephole + (3 * d + i) * a_.hidden,
                    scratch_.peephole + (3 * d + i) * padded_);
      }
      for (std::int64_t row = 0; row < a_.batch; ++row) {
        const std::int64_t at = (d * a_.batch + row) * a_.hidden;
        copy_padded(a_.initial_h == nullptr ? nullptr : a_.initial_h + at,
                    state_row(scratch_.states[0], d, row));
        copy_padded(nullptr, state_row(scratch_.states[1], d, row));
        copy_padded(a_.initial_c == nullptr ? nullptr : a_.initial_c + at,
                    state_row(scratch_.cells, d, row));
      }
    }
  }

  /// projected = start + x * weights, for all steps at once where the rows of x are evenly spaced.
  void project_inputs(std::int64_t direction) const {
    const gemm::MicroKernels& kernels = gemm::micro_kernels(context_.level);
    const float* packed = a_.packed_weights;
    if (packed == nullptr) {
      if (direction == 0) {
        pack_weights(a_, context_.level, scratch_.packed_weights);
      }
      packed = scratch_.packed_weights;
    }
    const std::int64_t columns = a_.gates() * padded_;
    gemm::GemmArguments product;
    product.n = columns;
    product.k = a_.inputs;
    product.b = gemm::packed_panels(
        kernels, packed + direction * gemm::packed_elements(kernels, a_.inputs, columns),
        a_.inputs);
    product.bias = scratch_.start + direction * columns;
    product.start = gemm::Start::kBias;
    float* projected = scratch_.projected + direction * a_.steps * a_.batch * columns;
    const bool even =
        a_.batch == 1 || a_.steps == 1 || a_.x_strides[0] == a_.batch * a_.x_strides[1];
    const bool by_step = even || a_.batch >= a_.steps;
    const std::int64_t pieces = even ? 1 : by_step ? a_.steps : a_.batch;
    product.m = a_.steps * a_.batch / pieces;
    // With one row per step (or one step) the stride between rows is that of the other axis.
    product.a_row_stride =
        even ? (a_.batch == 1 ? a_.x_strides[0] : a_.x_strides[1]) : a_.x_strides[by_step ? 1 : 0];
    product.c_row_stride = by_step ? columns : a_.batch * columns;
    for (std::int64_t piece = 0; piece < pieces && !context_.parallel.is_stopped(); ++piece) {
      product.a = a_.x + piece * a_.x_strides[by_step ? 0 : 1];
      product.c = projected + piece * (by_step ? a_.batch : 1) * columns;
      gemm::gemm(kernels, product, context_.parallel);
    }
  }

  /// Directions and rows are independent: each piece runs through all steps without waiting.
  void run_rows_in_parallel(std::int64_t step_products) const {
    const std::int64_t rows = a_.directions * a_.batch;
    const std::int64_t row_products = step_products / rows * a_.steps;
    const std::int64_t share =
        (rows + context_.parallel.worker_count() - 1) / context_.parallel.worker_count();
    const std::int64_t grain = std::max(share, 1 + kProductsPerParallelStep / (row_products + 1));
    context_.parallel.run(rows, grain, [&](std::int64_t begin, std::int64_t end, int) {
      while (begin < end) {
        const std::int64_t direction = begin / a_.batch;
        const std::int64_t stop = std::min(end, (direction + 1) * a_.batch);
        for (std::int64_t s = 0; s < a_.steps && !context_.parallel.is_stopped(); ++s) {
          run_step(direction, begin - direction * a_.batch, stop - direction * a_.batch, s);
        }
        begin = stop;
      }
    });
  }

  /// Few rows, large layers: hidden units are split, with all threads meeting after each step.
  void run_steps_in_parallel() const {
    for (std::int64_t s = 0; s < a_.steps && !context_.parallel.is_stopped(); ++s) {
      for (const auto pass : passes()) {
        if (pass == nullptr) {
          continue;
        }
        context_.parallel.run(
            a_.directions * blocks_, 4, [&](std::int64_t begin, std::int64_t end, int) {
              while (begin < end) {
                const std::int64_t direction = begin / blocks_;
                const std::int64_t stop = std::min(end, (direction + 1) * blocks_);
                run_pass(pass, direction, 0, a_.batch, s, begin - direction * blocks_,
                         stop - direction * blocks_);
                begin = stop;
              }
            });
      }
      for (std::int64_t direction = 0; direction < a_.directions; ++direction) {
        finish_step(direction, 0, a_.batch, s);
      }
    }
  }

  struct Passes {
    Step first, second;
    [[nodiscard]] const Step* begin() const { return &first; }
    [[nodiscard]] const Step* end() const { return &second + 1; }
  };
  [[nodiscard]] Passes passes() const {
    switch (a_.cell) {
      case Cell::kLstm:
        return {kernels_.lstm, nullptr};
      case Cell::kRnn:
        return {kernels_.rnn, nullptr};
      case Cell::kGru:
        break;
    }
    return a_.linear_before_reset ? Passes{kernels_.gru_linear_before_reset, nullptr}
                                  : Passes{kernels_.gru_gates, kernels_.gru_hidden};
  }

  void run_step(std::int64_t direction, std::int64_t first_row, std::int64_t end_row,
                std::int64_t s) const {
    const Passes both = passes();
    // Blocks outside, so that a panel is read once for all rows.
    for (const Step pass : {both.first, both.second}) {
      if (pass == nullptr) {
        continue;
      }
      const std::int64_t at_once = end_row - first_row == 1 ? blocks_ : 1;
      for (std::int64_t block = 0; block < blocks_; block += at_once) {
        run_pass(pass, direction, first_row, end_row, s, block, block + at_once);
      }
    }
    finish_step(direction, first_row, end_row, s);
  }

  /// One kernel over the rows that take part in step s.
  void run_pass(Step pass, std::int64_t direction, std::int64_t first_row, std::int64_t end_row,
                std::int64_t s, std::int64_t first_block, std::int64_t end_block) const {
    StepArguments step;
    step.hidden = a_.hidden;
    step.padded = padded_;
    step.first_block = first_block;
    step.end_block = end_block;
    step.panels = panels_ + direction * a_.gates() * padded_ * a_.hidden;
    step.peephole = a_.peephole != nullptr ? scratch_.peephole + 3 * direction * padded_ : nullptr;
    step.hidden_bias = scratch_.hidden_bias + direction * padded_;
    step.functions = a_.functions[direction];
    step.clip = a_.clip;
    step.coupled = a_.coupled;
    for (std::int64_t row = first_row; row < end_row; ++row) {
      const std::int64_t length = a_.length(row);
      if (s < length) {
        const std::int64_t t = a_.is_reverse(direction) ? length - 1 - s : s;
        const int i = step.rows++;
        step.projected[i] = scratch_.projected +
                            ((direction * a_.steps + t) * a_.batch + row) * a_.gates() * padded_;
        step.previous[i] = state_row(scratch_.states[s % 2], direction, row);
        step.next[i] = state_row(scratch_.states[(s + 1) % 2], direction, row);
        step.cell[i] = state_row(scratch_.cells, direction, row);
        if (a_.cell == Cell::kGru) {
          step.update[i] = state_row(scratch_.update, direction, row);
          step.reset_state[i] = state_row(scratch_.reset_state, direction, row);
        }
      }
      if (step.rows == kMaxRows || (row + 1 == end_row && step.rows > 0)) {
        pass(step);
        step.rows = 0;
      }
    }
  }

  /// Copies states to y, or carries those of rows that are done over to the next step.
  void finish_step(std::int64_t direction, std::int64_t first_row, std::int64_t end_row,
                   std::int64_t s) const {
    for (std::int64_t row = first_row; row < end_row; ++row) {
      const std::int64_t length = a_.length(row);
      float* next = state_row(scratch_.states[(s + 1) % 2], direction, row);
      const bool active = s < length;
      if (!active) {
        std::copy_n(state_row(scratch_.states[s % 2], direction, row), padded_, next);
      }
      if (a_.y == nullptr) {
        continue;
      }
      const std::int64_t t = active && a_.is_reverse(direction) ? length - 1 - s : s;
      float* y = a_.y + ((t * a_.directions + direction) * a_.batch + row) * a_.hidden;
      if (active) {
        std::copy_n(next, a_.hidden, y);
      } else {
        std::fill_n(y, a_.hidden, 0.0f);
      }
    }
  }

  void finish() const {
    for (std::int64_t i = 0; i < a_.directions * a_.batch; ++i) {
      if (a_.y_h != nullptr) {
        std::copy_n(scratch_.states[a_.steps % 2] + i * padded_, a_.hidden, a_.y_h + i * a_.hidden);
      }
      if (a_.y_c != nullptr) {
        std::copy_n(scratch_.cells + i * padded_, a_.hidden, a_.y_c + i * a_.hidden);
      }
    }
  }

  const Arguments& a_;
  const Scratch& scratch_;
  const KernelContext& context_;
  const StepKernels& kernels_;
  std::int64_t padded_;
  std::int64_t blocks_;
  const float* panels_;
};

}  // namespace

std::int64_t packed_weight_elements(const Arguments& arguments, CpuLevel level) {
  const std::int64_t columns = arguments.gates() * padded_hidden(arguments, level);
  return arguments.directions *
         gemm::packed_elements(gemm::micro_kernels(level), arguments.inputs, columns);
}

void pack_weights(const Arguments& arguments, CpuLevel level, float* packed) {
  const gemm::MicroKernels& kernels = gemm::micro_kernels(level);
  const std::int64_t padded = padded_hidden(arguments, level);
  const std::int64_t columns = arguments.gates() * padded;
  const std::int64_t* strides = arguments.weights.strides;
  for (std::int64_t d = 0; d < arguments.directions; ++d) {
    float* target = packed + d * gemm::packed_elements(kernels, arguments.inputs, columns);
    for (std::int64_t column = 0; column < gemm::panel_count(kernels, columns) * kernels.columns;
         ++column) {
      const std::int64_t unit = column % padded;
      const bool real = column < columns && unit < arguments.hidden;
      const float* row = arguments.weights.data + d * strides[0] +
                         (real ? column / padded * arguments.hidden + unit : 0) * strides[1];
      float* to = target + column / kernels.columns * kernels.columns * arguments.inputs +
                  column % kernels.columns;
      for (std::int64_t k = 0; k < arguments.inputs; ++k) {
        to[k * kernels.columns] = real ? row[k * strides[2]] : 0.0f;
      }
    }
  }
}

std::int64_t packed_recurrence_elements(const Arguments& arguments, CpuLevel level) {
  return arguments.directions * arguments.gates() * padded_hidden(arguments, level) *
         arguments.hidden;
}

void pack_recurrence(const Arguments& arguments, CpuLevel level, float* packed) {
  const std::int64_t lanes = step_kernels(level).lanes;
  const std::int64_t padded = padded_hidden(arguments, level);
  const std::int64_t gates = arguments.gates();
  const std::int64_t* strides = arguments.recurrence.strides;
  for (std::int64_t d = 0; d < arguments.directions; ++d) {
    for (std::int64_t gate = 0; gate < gates; ++gate) {
      for (std::int64_t unit = 0; unit < padded; ++unit) {
        const bool real = unit < arguments.hidden;
        const float* row = arguments.recurrence.data + d * strides[0] +
                           (gate * arguments.hidden + (real ? unit : 0)) * strides[1];
        float* to = packed + (d * padded + unit / lanes * lanes) * gates * arguments.hidden +
                    gate * lanes + unit % lanes;
        for (std::int64_t k = 0; k < arguments.hidden; ++k) {
          to[k * gates * lanes] = real ? row[k * strides[2]] : 0.0f;
        }
      }
    }
  }
}

std::size_t scratch_bytes(const Arguments& arguments, CpuLevel level) {
  return Scratch(nullptr, arguments, level).bytes;
}

void run_f32(const Arguments& arguments, const KernelContext& context) {
  const Scratch scratch(context.scratch, arguments, context.level);
  Layer(arguments, scratch, context).run();
}

}  // namespace pliant::kernels::recurrent
