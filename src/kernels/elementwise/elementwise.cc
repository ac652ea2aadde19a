#include "kernels/elementwise/elementwise.h"

#include <algorithm>
#include <utility>

#include "kernels/elementwise/f32_loops.h"
#include "kernels/elementwise/operand_walk.h"

namespace pliant::kernels {
namespace {

using Access = ElementwiseOperand::Access;

constexpr std::int64_t kGrain = 16384;
using Tile = std::byte[kElementwiseTile * 8];

/// An input of the loop: where its next elements are, in the type of the loop.
class InputReader {
 public:
  InputReader(const ElementwiseArguments& arguments, const ElementwiseOperand& operand,
              std::int64_t start, std::int64_t end)
      : arguments_(arguments), operand_(operand), cursor_(arguments.axes, operand, start) {
    if (operand.access == Access::kSingle && must_spread()) {
      const std::int64_t count = std::min(end - start, kElementwiseTile);
      gather_of_size(operand.element_bytes)(operand.data, 0, count, raw_);
      if (operand.convert != nullptr) {
        convert(operand.convert, raw_, converted_, count);
      }
    }
  }

  void next(std::int64_t count, const void*& data, std::int64_t& step) {
    step = 1;
    if (operand_.access == Access::kSingle) {
      step = must_spread() ? 1 : 0;
      data = !must_spread() ? operand_.data : operand_.convert != nullptr ? converted_ : raw_;
      return;
    }
    const std::byte* elements = raw_;
    if (operand_.access == Access::kLinear) {
      elements = cursor_.at();
      cursor_.advance_linear(count);
    } else if (arguments_.by_rows && cursor_.row_stride() == 1) {
      elements = cursor_.at();
      cursor_.advance_in_row(count);
    } else if (arguments_.by_rows && cursor_.row_stride() == 0 && !must_spread()) {
      elements = cursor_.at();
      cursor_.advance_in_row(count);
      step = 0;
    } else {
      cursor_.gather(count, raw_);
    }
    data = elements;
    if (operand_.convert != nullptr) {
      convert(operand_.convert, elements, converted_, count);
      data = converted_;
    }
  }

 private:
  [[nodiscard]] bool must_spread() const {
    return !arguments_.loop.takes_single || operand_.convert != nullptr;
  }

  const ElementwiseArguments& arguments_;
  const ElementwiseOperand& operand_;
  Cursor cursor_;
  alignas(64) Tile raw_;
  alignas(64) Tile converted_;
};

/// The result of the loop: where its next elements go.
class ResultWriter {
 public:
  ResultWriter(const ElementwiseArguments& arguments, const ElementwiseOperand& operand,
               std::int64_t start)
      : operand_(operand),
        cursor_(arguments.axes, operand, start),
        in_place_(operand.access == Access::kLinear ||
                  (arguments.by_rows && cursor_.row_stride() == 1)) {}

  [[nodiscard]] void* target() {
    return in_place_ && operand_.convert == nullptr ? cursor_.at() : computed_;
  }

  void finish(std::int64_t count) {
    if (operand_.convert != nullptr) {
      convert(operand_.convert, computed_, in_place_ ? cursor_.at() : converted_, count);
    }
    if (operand_.access == Access::kLinear) {
      cursor_.advance_linear(count);
    } else if (in_place_) {
      cursor_.advance_in_row(count);
    } else {
      cursor_.scatter(operand_.convert != nullptr ? converted_ : computed_, count);
    }
  }

 private:
  const ElementwiseOperand& operand_;
  Cursor cursor_;
  bool in_place_;
  alignas(64) Tile computed_;
  alignas(64) Tile converted_;
};

template <std::size_t... I>
void run_elements(const ElementwiseArguments& arguments, std::int64_t begin, std::int64_t end,
                  std::index_sequence<I...>) {
  InputReader inputs[] = {InputReader(arguments, arguments.operands[I], begin, end)...};
  ResultWriter result(arguments, arguments.operands[sizeof...(I)], begin);
  const std::int64_t row = arguments.axes.extents[arguments.axes.rank - 1];
  std::int64_t row_left = row - begin % row;
  DenseStrip strip;
  strip.alpha = arguments.alpha;
  strip.beta = arguments.beta;
  for (std::int64_t at = begin; at < end; at += strip.count) {
    strip.count = end - at;
    if (arguments.needs_tile) {
      strip.count = std::min(strip.count, kElementwiseTile);
    }
    if (arguments.by_rows) {
      strip.count = std::min(strip.count, row_left);
      row_left = row_left == strip.count ? row : row_left - strip.count;
    }
    for (std::size_t i = 0; i < sizeof...(I); ++i) {
      inputs[i].next(strip.count, strip.inputs[i], strip.steps[i]);
    }
    strip.result = result.target();
    arguments.loop.run(strip);
    result.finish(strip.count);
  }
}

/// All operands lie in the order of the loop or are one element: nothing to walk, nothing to copy.
bool is_plain(const ElementwiseArguments& arguments) {
  if (arguments.needs_tile) {
    return false;
  }
  for (int i = 0; i <= arguments.loop.input_count; ++i) {
    if (arguments.operands[i].access == Access::kWalked) {
      return false;
    }
  }
  return true;
}

void run_plain(const ElementwiseArguments& arguments, std::int64_t begin, std::int64_t end) {
  DenseStrip strip;
  strip.count = end - begin;
  strip.alpha = arguments.alpha;
  strip.beta = arguments.beta;
  const auto at = [&](const ElementwiseOperand& operand) {
    return operand.access == Access::kSingle ? operand.data
                                             : operand.data + begin * operand.element_bytes;
  };
  for (int i = 0; i < arguments.loop.input_count; ++i) {
    strip.inputs[i] = at(arguments.operands[i]);
    strip.steps[i] = arguments.operands[i].access == Access::kSingle ? 0 : 1;
  }
  strip.result = at(arguments.operands[arguments.loop.input_count]);
  arguments.loop.run(strip);
}

/// Whether the loop can use a walked operand where it is, row by row.
bool in_place_by_rows(const ElementwiseArguments& arguments, const ElementwiseOperand& operand,
                      bool may_be_single) {
  const std::int64_t stride = operand.strides[arguments.axes.rank - 1];
  return arguments.by_rows && (stride == 1 || (stride == 0 && may_be_single));
}

}  // namespace

ElementwiseLoop find_elementwise_loop(ElementwiseFunction function, DType dtype, CpuLevel level) {
  ElementwiseLoop loop = reference_elementwise_loop(function, dtype);
  if (loop.run == nullptr || loop.inputs[loop.input_count - 1] != DType::kF32 ||
      loop.result != DType::kF32) {
    return loop;
  }
  DenseLoop vectorised = nullptr;
#define F32_LOOPS(Level, space)             \
  if (level == CpuLevel::Level) {           \
    vectorised = space::f32_loop(function); \
  }
#include "kernels/elementwise/kernels.inc"
  if (vectorised != nullptr) {
    loop.run = vectorised;
    loop.takes_single = true;
  }
  return loop;
}

ElementwiseArguments make_elementwise(const ElementwiseLoop& loop, const TensorView* inputs,
                                      const TensorView& result, CpuLevel level) {
  ElementwiseArguments arguments;
  arguments.loop = loop;
  arguments.count = result.element_count();
  const int operand_count = loop.input_count + 1;
  const auto view = [&](int i) -> const TensorView& {
    return i == loop.input_count ? result : inputs[i];
  };
  for (int i = 0; i < operand_count; ++i) {
    ElementwiseOperand& operand = arguments.operands[i];
    operand.data = view(i).as<std::byte>();
    operand.element_bytes = static_cast<int>(byte_size(view(i).dtype));
    const DType expected = i == loop.input_count ? loop.result : loop.inputs[i];
    if (view(i).dtype != expected) {
      operand.convert = i == loop.input_count ? find_conversion(expected, view(i).dtype, level)
                                              : find_conversion(view(i).dtype, expected, level);
    }
  }
  WalkedOperand walked[kMaxElementwiseInputs + 1];
  for (int i = 0; i < operand_count; ++i) {
    walked[i] = {view(i).strides.data(), &arguments.operands[i]};
  }
  arguments.axes = merge_axes(result, {walked, static_cast<std::size_t>(operand_count)});
  arguments.by_rows = has_long_rows(arguments.axes);
  for (int i = 0; i < operand_count; ++i) {
    ElementwiseOperand& operand = arguments.operands[i];
    operand.access = access_of(arguments.axes, operand);
    if (i == loop.input_count && operand.access == Access::kSingle) {
      operand.access = Access::kLinear;  // one element
    }
    const bool may_be_single =
        i < loop.input_count && loop.takes_single && operand.convert == nullptr;
    const bool direct =
        operand.access == Access::kLinear || (operand.access == Access::kSingle && may_be_single) ||
        (operand.access == Access::kWalked && in_place_by_rows(arguments, operand, may_be_single));
    arguments.needs_tile = arguments.needs_tile || operand.convert != nullptr || !direct;
  }
  return arguments;
}

void elementwise(const ElementwiseArguments& arguments, const KernelContext& context) {
  if (arguments.count == 0) {
    return;
  }
  using Run = void (*)(const ElementwiseArguments&, std::int64_t, std::int64_t);
  static constexpr Run kByInputs[] = {
      [](const ElementwiseArguments& a, std::int64_t begin, std::int64_t end) {
        run_elements(a, begin, end, std::make_index_sequence<1>{});
      },
      [](const ElementwiseArguments& a, std::int64_t begin, std::int64_t end) {
        run_elements(a, begin, end, std::make_index_sequence<2>{});
      },
      [](const ElementwiseArguments& a, std::int64_t begin, std::int64_t end) {
        run_elements(a, begin, end, std::make_index_sequence<3>{});
      },
  };
  const Run run = is_plain(arguments) ? &run_plain : kByInputs[arguments.loop.input_count - 1];
  context.parallel.run(arguments.count, kGrain, [&](std::int64_t begin, std::int64_t end, int) {
    run(arguments, begin, end);
  });
}

}  // namespace pliant::kernels
