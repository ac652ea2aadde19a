#include "kernels/elementwise/chain.h"

#include <algorithm>

#include "kernels/elementwise/operand_walk.h"

namespace pliant::kernels {
namespace {

using Access = StridedOperand::Access;

/// An operand or a result of one strip. Without initial values, since there is room for many.
struct StripEnd {
  std::byte* at;
  std::int64_t stride;  ///< in elements
  Cursor* walk;         ///< instead of the stride, where the strip spans several rows; or null
};

/// Runs the steps on one strip after the other.
class StripRunner {
 public:
  explicit StripRunner(const Chain& chain) : chain_(chain) {}

  StripEnd operands[kMaxChainOperands];
  StripEnd results[kMaxChainResults];

  /// After all ends of the first strip are set: a result in the memory of an operand that is still
  /// needed when the result is there has to wait for the end of the strip.
  void find_waiting_results() {
    for (int r = 0; r < chain_.result_count(); ++r) {
      waits_[r] = false;
      for (int i = 0; i < chain_.operand_count(); ++i) {
        waits_[r] = waits_[r] || (operands[i].at == results[r].at &&
                                  chain_.operand(i).step > chain_.result(r).step);
      }
    }
  }

  /// At most chain.strip_length() elements.
  void run(std::int64_t count) {
    for (const Chain::Step& step : chain_.steps()) {
      if (step.run == nullptr) {
        load(step, count);
      } else {
        compute(step, count);
      }
    }
    for (int r = 0; r < chain_.result_count(); ++r) {
      store(r, count);
    }
  }

 private:
  struct Value {
    std::byte* at;
    bool single;  ///< one element for the whole strip
  };

  [[nodiscard]] std::byte* buffer(int index) { return buffers_[index]; }
  [[nodiscard]] bool is_direct(int result) const {
    return results[result].walk == nullptr && results[result].stride == 1;
  }

  void load(const Chain::Step& step, std::int64_t count) {
    const StripEnd& operand = operands[step.value];
    if (operand.walk == nullptr && (operand.stride == 1 || operand.stride == 0)) {
      values_[step.value] = {operand.at, operand.stride == 0};
      return;
    }
    std::byte* const tile = buffer(step.buffer);
    if (operand.walk != nullptr) {
      operand.walk->gather(count, tile);
    } else {
      gather_of_size(step.bytes)(operand.at, operand.stride, count, tile);
    }
    values_[step.value] = {tile, false};
  }

  void compute(const Chain::Step& step, std::int64_t count) {
    bool single = true;
    for (int i = 0; i < step.input_count; ++i) {
      single = single && values_[step.inputs[i]].single;
    }
    DenseStrip strip;
    strip.count = single ? 1 : count;
    strip.alpha = step.alpha;
    strip.beta = step.beta;
    for (int i = 0; i < step.input_count; ++i) {
      const Value& input = values_[step.inputs[i]];
      strip.inputs[i] = input.at;
      if (input.single && !single) {
        strip.steps[i] = 0;
        if (!step.takes_single) {
          strip.steps[i] = 1;
          strip.inputs[i] = spread(step, i, count);
        }
      }
    }
    const bool in_place =
        step.result >= 0 && !single && !waits_[step.result] && is_direct(step.result);
    std::byte* const target = in_place ? results[step.result].at : buffer(step.buffer);
    strip.result = target;
    step.run(strip);
    values_[step.value] = {target, single};
  }

  /// An input that is one element, repeated for a loop that wants neighbours.
  const std::byte* spread(const Chain::Step& step, int input, std::int64_t count) {
    std::byte* const tile = buffer(chain_.buffer_count() + input);
    gather_of_size(step.input_bytes[input])(values_[step.inputs[input]].at, 0, count, tile);
    return tile;
  }

  void store(int index, std::int64_t count) {
    const Chain::Step& step = chain_.steps()[static_cast<std::size_t>(chain_.result(index).step)];
    const StripEnd& result = results[index];
    const Value& value = values_[step.value];
    if (is_direct(index)) {
      if (value.at != result.at) {
        gather_of_size(step.bytes)(value.at, value.single ? 0 : 1, count, result.at);
      }
      return;
    }
    const std::byte* elements = value.at;
    if (value.single) {
      std::byte* const tile = buffer(chain_.buffer_count());
      gather_of_size(step.bytes)(value.at, 0, count, tile);
      elements = tile;
    }
    if (result.walk != nullptr) {
      result.walk->scatter(elements, count);
    } else {
      scatter_of_size(step.bytes)(elements, result.stride, count, result.at);
    }
  }

  const Chain& chain_;
  Value values_[kMaxChainValues];
  bool waits_[kMaxChainResults];
  // Those of the chain, then one per input of a loop for elements that are repeated. A line more,
  // so that buffers do not compete for the same places in the cache.
  alignas(64) std::byte buffers_[kMaxChainBuffers + kMaxElementwiseInputs][kChainBufferBytes + 64];
};

/// Where one operand or result is, from strip to strip.
class Position {
 public:
  void begin(const LoopAxes& axes, const StridedOperand& operand, std::int64_t start) {
    operand_ = &operand;
    cursor_ = Cursor(axes, operand, start);
  }

  /// Describes the next `count` elements, and moves behind them.
  void next(std::int64_t count, bool by_rows, StripEnd& end) {
    end = {cursor_.at(), operand_->access == Access::kSingle ? 0 : 1, nullptr};
    if (operand_->access == Access::kLinear) {
      cursor_.advance_linear(count);
    } else if (operand_->access == Access::kWalked) {
      if (by_rows) {
        end.stride = cursor_.row_stride();
        cursor_.advance_in_row(count);
      } else {
        end.walk = &cursor_;  // moves on when it is read or written
      }
    }
  }

 private:
  const StridedOperand* operand_ = nullptr;
  Cursor cursor_;
};

/// Any axes, strips of any number of short rows.
void run_walking(const ChainArguments& arguments, std::int64_t begin, std::int64_t end) {
  const Chain& chain = *arguments.chain;
  StripRunner runner(chain);
  Position operands[kMaxChainOperands];
  Position results[kMaxChainResults];
  for (int i = 0; i < chain.operand_count(); ++i) {
    operands[i].begin(arguments.axes, arguments.operands[i], begin);
  }
  for (int r = 0; r < chain.result_count(); ++r) {
    results[r].begin(arguments.axes, arguments.results[r], begin);
  }
  const std::int64_t row = arguments.axes.extents[arguments.axes.rank - 1];
  std::int64_t row_left = row - begin % row;
  std::int64_t count = 0;
  for (std::int64_t at = begin; at < end; at += count) {
    count = std::min(end - at, chain.strip_length());
    if (arguments.by_rows) {
      count = std::min(count, row_left);
      row_left = row_left == count ? row : row_left - count;
    }
    for (int i = 0; i < chain.operand_count(); ++i) {
      operands[i].next(count, arguments.by_rows, runner.operands[i]);
    }
    for (int r = 0; r < chain.result_count(); ++r) {
      results[r].next(count, arguments.by_rows, runner.results[r]);
    }
    if (at == begin) {
      runner.find_waiting_results();
    }
    runner.run(count);
  }
}

/// Element number `begin` to `end` of matrices with rows of `columns`.
void run_rows(const Chain& chain, const ChainMatrix* operands, const ChainMatrix* results,
              std::int64_t columns, std::int64_t begin, std::int64_t end) {
  StripRunner runner(chain);
  std::int64_t row = begin / columns;
  std::int64_t column = begin % columns;
  const auto place = [&](const ChainMatrix& matrix, int bytes, StripEnd& strip_end) {
    const std::int64_t elements = row * matrix.row_stride + column * matrix.column_stride;
    strip_end = {matrix.data + elements * bytes, matrix.column_stride, nullptr};
  };
  std::int64_t count = 0;
  for (std::int64_t at = begin; at < end; at += count) {
    count = std::min({end - at, columns - column, chain.strip_length()});
    for (int i = 0; i < chain.operand_count(); ++i) {
      place(operands[i], chain.operand(i).bytes, runner.operands[i]);
    }
    for (int r = 0; r < chain.result_count(); ++r) {
      place(results[r], chain.result(r).bytes, runner.results[r]);
    }
    if (at == begin) {
      runner.find_waiting_results();
    }
    runner.run(count);
    column += count;
    if (column == columns) {
      column = 0;
      ++row;
    }
  }
}

void run_elements(const ChainArguments& arguments, std::int64_t begin, std::int64_t end) {
  const int rank = arguments.axes.rank;
  if (rank > 2 || (rank == 2 && !arguments.by_rows)) {
    run_walking(arguments, begin, end);
    return;
  }
  ChainMatrix operands[kMaxChainOperands];
  ChainMatrix results[kMaxChainResults];
  const auto matrix = [&](const StridedOperand& operand) {
    return ChainMatrix{operand.data, rank == 2 ? operand.strides[0] : 0, operand.strides[rank - 1]};
  };
  for (int i = 0; i < arguments.chain->operand_count(); ++i) {
    operands[i] = matrix(arguments.operands[i]);
  }
  for (int r = 0; r < arguments.chain->result_count(); ++r) {
    results[r] = matrix(arguments.results[r]);
  }
  run_rows(*arguments.chain, operands, results, arguments.axes.extents[rank - 1], begin, end);
}

/// Strides of a view read as a tensor of `shape`. One element may have any rank.
void broadcast_strides(const TensorView& view, const Shape& shape, std::int64_t* strides) {
  const std::size_t rank = std::min(view.shape.size(), shape.size());
  const std::size_t missing = shape.size() - rank;
  const std::size_t skipped = view.shape.size() - rank;  // axes of extent 1
  for (std::size_t axis = 0; axis < missing; ++axis) {
    strides[axis] = 0;
  }
  for (std::size_t axis = 0; axis < rank; ++axis) {
    strides[missing + axis] = view.shape[skipped + axis] == 1 ? 0 : view.strides[skipped + axis];
  }
}

}  // namespace

ChainArguments make_elementwise_chain(const Chain& chain, std::span<const TensorView> operands,
                                      std::span<const TensorView> results) {
  ChainArguments arguments;
  arguments.chain = &chain;
  arguments.count = results[0].element_count();
  const Shape& shape = results[0].shape;
  // This runs often: no views are copied, and nothing is written that is not read.
  std::int64_t broadcast[kMaxChainOperands][kMaxRank];
  WalkedOperand walked[kMaxChainOperands + kMaxChainResults];
  std::size_t walked_count = 0;
  const auto add = [&](const TensorView& view, int bytes, const std::int64_t* strides,
                       StridedOperand& operand) {
    operand.data = view.as<std::byte>();
    operand.element_bytes = bytes;
    walked[walked_count++] = {strides, &operand};
  };
  for (std::size_t i = 0; i < operands.size(); ++i) {
    broadcast_strides(operands[i], shape, broadcast[i]);
    add(operands[i], chain.operand(static_cast<int>(i)).bytes, broadcast[i], arguments.operands[i]);
  }
  for (std::size_t r = 0; r < results.size(); ++r) {
    add(results[r], chain.result(static_cast<int>(r)).bytes, results[r].strides.data(),
        arguments.results[r]);
  }
  arguments.axes = merge_axes(results[0], {walked, walked_count});
  arguments.by_rows = has_long_rows(arguments.axes);
  for (std::size_t i = 0; i < walked_count; ++i) {
    StridedOperand& operand = *walked[i].operand;
    operand.access = access_of(arguments.axes, operand);
  }
  return arguments;
}

void elementwise_chain(const ChainArguments& arguments, const KernelContext& context) {
  constexpr std::int64_t kGrain = 16384;
  if (arguments.count == 0) {
    return;
  }
  context.parallel.run(arguments.count, kGrain, [&](std::int64_t begin, std::int64_t end, int) {
    run_elements(arguments, begin, end);
  });
}

void elementwise_chain_on_block(const Chain& chain, const ChainMatrix* operands,
                                const ChainMatrix* results, std::int64_t rows,
                                std::int64_t columns) {
  bool dense = true;
  for (int i = 0; i < chain.operand_count(); ++i) {
    dense = dense && operands[i].row_stride == columns * operands[i].column_stride;
  }
  for (int r = 0; r < chain.result_count(); ++r) {
    dense = dense && results[r].row_stride == columns * results[r].column_stride;
  }
  run_rows(chain, operands, results, dense ? rows * columns : columns, 0, rows * columns);
}

}  // namespace pliant::kernels
