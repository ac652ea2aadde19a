#include "session/check_inputs.h"

#include <algorithm>
#include <type_traits>

#include "base/half.h"
#include "session/segment_sizes.h"
#include "tensor/dtype.h"

namespace pliant::session {
namespace {

using plan::EntrySource;
using plan::LiveIn;

/// Numbers that look random and are the same everywhere.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}

  /// splitmix64
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  float real() { return static_cast<float>(next() >> 40U) * 0x1p-23f - 1.0f; }
  std::int64_t integer(const shapes::Interval& range) {
    const std::uint64_t count = range.width() + 1;  // 0: all of them
    const std::uint64_t offset = count == 0 ? next() : next() % count;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(range.low) + offset);
  }

 private:
  std::uint64_t state_;
};

void fill(const TensorView& view, const shapes::Interval& range, Numbers& numbers) {
  const std::int64_t count = view.element_count();
  visit_dtype(view.dtype, [&](auto zero) {
    using T = decltype(zero);
    for (T *element = view.as<T>(), *end = element + count; element != end; ++element) {
      if constexpr (std::is_same_v<T, Half>) {
        *element = to_half(numbers.real());
      } else if constexpr (std::is_same_v<T, BFloat16>) {
        *element = to_bfloat16(numbers.real());
      } else if constexpr (std::is_floating_point_v<T>) {
        *element = static_cast<T>(numbers.real());
      } else {
        *element = static_cast<T>(numbers.integer(range));
      }
    }
  });
}

void set_element(const TensorView& view, int position, std::int64_t value) {
  visit_dtype(view.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      view.as<T>()[position] = static_cast<T>(value);
    }
  });
}

/// Where the program's own symbols are bound by entries of the segment. What no entry says, no step
/// depends on: any value will do.
std::vector<std::int64_t> bind_symbols(const plan::Graph& graph, shapes::Signature signature) {
  constexpr std::int64_t kUnsaid = 2;
  const Program& program = *graph.program;
  std::vector<std::int64_t> symbols(program.symbols.size(), kUnsaid);
  for (std::size_t i = 0; i < signature.size(); ++i) {
    const EntrySource& source = graph.entry_sources[i];
    if (source.kind == EntrySource::Kind::kSymbol) {
      symbols[static_cast<std::size_t>(source.index)] = signature[i];
    }
    if (source.kind != EntrySource::Kind::kAxis) {
      continue;
    }
    const LiveIn& live_in = graph.live_ins[static_cast<std::size_t>(source.index)];
    if (live_in.kind != LiveIn::Kind::kProgramInput) {
      continue;
    }
    const InputDeclaration& input = program.inputs[static_cast<std::size_t>(live_in.index)];
    if (!input.rank_known) {
      continue;
    }
    const InputExtent& extent = input.shape[static_cast<std::size_t>(source.position)];
    if (extent.kind == InputExtent::Kind::kSymbol) {
      symbols[static_cast<std::size_t>(extent.value)] = signature[i];
    }
  }
  return symbols;
}

/// The value of a graph that stands for a live-in, or -1.
int value_of(const plan::Graph& graph, LiveIn::Kind kind, int index) {
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    const plan::Value& value = graph.values[i];
    if (value.kind == plan::Value::Kind::kLiveIn && value.index >= 0) {
      const LiveIn& live_in = graph.live_ins[static_cast<std::size_t>(value.index)];
      if (live_in.kind == kind && live_in.index == index) {
        return static_cast<int>(i);
      }
    }
  }
  return -1;
}

/// Makes tensors until there is no memory.
class Maker {
 public:
  Maker(memory::Pool& pool, std::uint64_t seed) : pool_(pool), numbers_(seed) {}

  [[nodiscard]] std::optional<StoredTensor> make(DType dtype, const std::optional<Shape>& shape,
                                                 const shapes::Interval& range) {
    if (!shape || !checked_element_count(*shape)) {
      return std::nullopt;
    }
    auto storage = pool_.allocate(dtype, element_count(*shape));
    if (!storage) {
      return std::nullopt;
    }
    StoredTensor tensor{contiguous_view((*storage)->data(), dtype, *shape), *storage};
    fill(tensor.view, range, numbers_);
    return tensor;
  }

 private:
  memory::Pool& pool_;
  Numbers numbers_;
};

std::optional<Shape> declared_shape(const InputDeclaration& input,
                                    const std::vector<std::int64_t>& symbols) {
  Shape shape;
  for (const InputExtent& extent : input.shape) {
    shape.push_back(extent.kind == InputExtent::Kind::kNumber
                        ? extent.value
                        : symbols[static_cast<std::size_t>(extent.value)]);
  }
  return shape;
}

}  // namespace

std::optional<CheckInputs> make_check_inputs(const Segment& segment, shapes::Signature signature,
                                             const ValueRanges& ranges, memory::Pool& pool) {
  const plan::Graph& graph = segment.compiled().graph;
  const Program& program = *graph.program;
  const SegmentSizes sizes(graph, signature);
  const shapes::Interval zero_or_one{0, 1};
  Maker maker(pool, shapes::hash_signature(signature));

  CheckInputs made;
  made.signature.assign(signature.begin(), signature.end());
  made.symbols = bind_symbols(graph, signature);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const InputDeclaration& input = program.inputs[i];
    const int value = value_of(graph, LiveIn::Kind::kProgramInput, static_cast<int>(i));
    // An input of unknown rank that the segment does not read may be any tensor.
    const std::optional<Shape> shape = input.rank_known ? declared_shape(input, made.symbols)
                                       : value >= 0     ? sizes.shape(value)
                                                        : std::optional(Shape{});
    const shapes::Interval range = ranges.of(i).value_or(zero_or_one);
    std::optional<StoredTensor> tensor =
        maker.make(input.dtype, shape, input.dtype == DType::kBool ? zero_or_one : range);
    if (!tensor) {
      return std::nullopt;
    }
    made.inputs.push_back(std::move(*tensor));
  }
  for (const LiveIn& live_in : graph.live_ins) {
    if (live_in.kind == LiveIn::Kind::kProgramInput) {
      made.live_ins.push_back(made.inputs[static_cast<std::size_t>(live_in.index)]);
      continue;
    }
    const int value = value_of(graph, live_in.kind, live_in.index);
    if (value < 0) {
      return std::nullopt;
    }
    std::optional<StoredTensor> tensor = maker.make(
        graph.values[static_cast<std::size_t>(value)].facts.dtype, sizes.shape(value), zero_or_one);
    if (!tensor) {
      return std::nullopt;
    }
    made.live_ins.push_back(std::move(*tensor));
  }
  for (std::size_t i = 0; i < signature.size(); ++i) {
    const EntrySource& source = graph.entry_sources[i];
    if (source.kind == EntrySource::Kind::kElement) {
      set_element(made.live_ins[static_cast<std::size_t>(source.index)].view, source.position,
                  signature[i]);
    } else if (source.kind == EntrySource::Kind::kSize) {
      made.sizes.emplace_back(source.index, signature[i]);
    }
  }
  return made;
}

void enter_segment(const Segment& segment, const CheckInputs& inputs,
                   interp::Execution& execution) {
  const plan::Graph& graph = segment.compiled().graph;
  execution.skip_to(graph.first);
  for (std::size_t i = 0; i < graph.live_ins.size(); ++i) {
    if (graph.live_ins[i].kind == LiveIn::Kind::kRegister) {
      execution.set_tensor(graph.live_ins[i].index, inputs.live_ins[i]);
    }
  }
  for (const auto& [index, value] : inputs.sizes) {
    execution.set_size(index, value);
  }
}

}  // namespace pliant::session
