// Turns links into steps: adds conversions, finds how long values live, and gives them buffers.

#include <algorithm>
#include <limits>

#include "kernels/elementwise/chain.h"
#include "tensor/dtype.h"

namespace pliant::kernels {

class ChainBuilder {
 public:
  explicit ChainBuilder(CpuLevel level) : level_(level) {}

  [[nodiscard]] bool add_operands(std::span<const DType> types) {
    if (types.size() > static_cast<std::size_t>(kMaxChainOperands)) {
      return false;
    }
    for (const DType dtype : types) {
      chain_.operands_.push_back({.dtype = dtype,
                                  .bytes = static_cast<int>(byte_size(dtype)),
                                  .step = -1,
                                  .value = new_value(dtype)});
    }
    return true;
  }

  void add_link(const ChainLink& link) {
    Chain::Step step{.run = link.loop.run,
                     .alpha = link.alpha,
                     .beta = link.beta,
                     .input_count = static_cast<std::int8_t>(link.loop.input_count),
                     .takes_single = link.loop.takes_single};
    for (int i = 0; i < link.loop.input_count; ++i) {
      step.inputs[i] =
          static_cast<std::int8_t>(converted(value_of(link.inputs[i]), link.loop.inputs[i]));
    }
    links_.push_back(converted(add_step(step, link.loop.result), link.result));
  }

  /// After all links.
  [[nodiscard]] bool add_results(std::span<const int> links) {
    if (links.size() > static_cast<std::size_t>(kMaxChainResults)) {
      return false;
    }
    for (const int link : links) {
      const int value = links_[static_cast<std::size_t>(link)];
      Chain::Step& step = chain_.steps_[made_by(value)];
      step.result = static_cast<std::int8_t>(chain_.results_.size());
      chain_.results_.push_back({.dtype = values_[static_cast<std::size_t>(value)].dtype,
                                 .bytes = step.bytes,
                                 .step = static_cast<int>(made_by(value)),
                                 .value = value});
    }
    return true;
  }

  [[nodiscard]] std::size_t value_count() const { return values_.size(); }

  /// Values that are no longer needed leave their buffers to later ones. A loop may overwrite one
  /// of its inputs with elements of the same size.
  [[nodiscard]] std::optional<Chain> finish() {
    find_last_uses();
    bool taken[kMaxChainBuffers] = {};
    for (std::size_t i = 0; i < chain_.steps_.size(); ++i) {
      Chain::Step& step = chain_.steps_[i];
      release_inputs(i, taken, [&](const Value& input) { return bytes_of(input) == step.bytes; });
      const bool* const free = std::find(std::begin(taken), std::end(taken), false);
      if (free == std::end(taken)) {
        return std::nullopt;
      }
      step.buffer = static_cast<std::int8_t>(free - std::begin(taken));
      taken[step.buffer] = true;
      values_[static_cast<std::size_t>(step.value)].buffer = step.buffer;
      chain_.buffer_count_ = std::max(chain_.buffer_count_, step.buffer + 1);
      release_inputs(i, taken, [&](const Value& input) { return bytes_of(input) != step.bytes; });
    }
    int most_bytes = 1;
    for (const Value& value : values_) {
      most_bytes = std::max(most_bytes, bytes_of(value));
    }
    chain_.strip_length_ = kChainBufferBytes / most_bytes;
    chain_.steps_.shrink_to_fit();
    return std::move(chain_);
  }

 private:
  struct Value {
    DType dtype = DType::kF32;
    int made_by = -1;  // step
    int last_use = -1;
    int buffer = -1;
  };

  static int bytes_of(const Value& value) { return static_cast<int>(byte_size(value.dtype)); }
  [[nodiscard]] std::size_t made_by(int value) const {
    return static_cast<std::size_t>(values_[static_cast<std::size_t>(value)].made_by);
  }
  /// By the numbers of ChainLink::inputs.
  [[nodiscard]] int value_of(int source) const {
    const int operand_count = chain_.operand_count();
    return source < operand_count ? source
                                  : links_[static_cast<std::size_t>(source - operand_count)];
  }

  int new_value(DType dtype) {
    values_.push_back({.dtype = dtype});
    return static_cast<int>(values_.size()) - 1;
  }

  int add_step(Chain::Step step, DType dtype) {
    for (int i = 0; i < step.input_count; ++i) {
      load(step.inputs[i]);
      step.input_bytes[i] =
          static_cast<std::int8_t>(bytes_of(values_[static_cast<std::size_t>(step.inputs[i])]));
    }
    const int value = new_value(dtype);
    append(step, value);
    return value;
  }
  void append(Chain::Step step, int value) {
    step.value = static_cast<std::int8_t>(value);
    step.bytes = static_cast<std::int8_t>(bytes_of(values_[static_cast<std::size_t>(value)]));
    values_[static_cast<std::size_t>(value)].made_by = static_cast<int>(chain_.steps_.size());
    chain_.steps_.push_back(step);
  }
  /// Operands are loaded where they are first used.
  void load(int value) {
    if (values_[static_cast<std::size_t>(value)].made_by < 0) {
      append({}, value);
    }
  }

  /// The value in another type; one conversion serves all that want it.
  int converted(int value, DType to) {
    const DType from = values_[static_cast<std::size_t>(value)].dtype;
    if (from == to) {
      return value;
    }
    for (const Conversion& known : conversions_) {
      if (known.from == value && known.type == to) {
        return known.value;
      }
    }
    Chain::Step step{.run = find_conversion(from, to, level_), .input_count = 1};
    step.inputs[0] = static_cast<std::int8_t>(value);
    conversions_.push_back({value, to, add_step(step, to)});
    return conversions_.back().value;
  }

  void find_last_uses() {
    for (std::size_t i = 0; i < chain_.steps_.size(); ++i) {
      const Chain::Step& step = chain_.steps_[i];
      values_[static_cast<std::size_t>(step.value)].last_use = static_cast<int>(i);
      for (int input = 0; input < step.input_count; ++input) {
        values_[static_cast<std::size_t>(step.inputs[input])].last_use = static_cast<int>(i);
      }
    }
    for (Chain::End& operand : chain_.operands_) {
      operand.step = values_[static_cast<std::size_t>(operand.value)].last_use;
    }
    for (const Chain::End& result : chain_.results_) {
      // Results may have to wait for the end of the strip before they are stored.
      values_[static_cast<std::size_t>(result.value)].last_use = std::numeric_limits<int>::max();
    }
  }

  /// Frees the buffers of inputs for which this is the last step.
  template <class Wanted>
  void release_inputs(std::size_t step, bool* taken, Wanted wanted) {
    for (int i = 0; i < chain_.steps_[step].input_count; ++i) {
      const Value& input = values_[static_cast<std::size_t>(chain_.steps_[step].inputs[i])];
      if (input.last_use == static_cast<int>(step) && wanted(input)) {
        taken[input.buffer] = false;
      }
    }
  }

  struct Conversion {
    int from;
    DType type;
    int value;
  };

  CpuLevel level_;
  Chain chain_;
  std::vector<Value> values_;
  std::vector<int> links_;  // their values
  std::vector<Conversion> conversions_;
};

std::optional<Chain> Chain::make(std::span<const DType> operand_types,
                                 std::span<const ChainLink> links, std::span<const int> results,
                                 CpuLevel level) {
  ChainBuilder builder(level);
  if (links.size() > static_cast<std::size_t>(kMaxChainLinks) ||
      !builder.add_operands(operand_types)) {
    return std::nullopt;
  }
  for (const ChainLink& link : links) {
    builder.add_link(link);
    if (builder.value_count() > static_cast<std::size_t>(kMaxChainValues)) {
      return std::nullopt;
    }
  }
  if (!builder.add_results(results)) {
    return std::nullopt;
  }
  return builder.finish();
}

}  // namespace pliant::kernels
