#pragma once

// Loops over vectors of f32, and the level's table of them. The last vector of a strip is a part
// of one, computed by the same code, so an element's bits do not depend on where it lies.

#include "kernels/elementwise/f32_functions.inl.h"
#include "kernels/elementwise/f32_loops.h"

namespace pliant::kernels::PLIANT_SIMD_LEVEL {
namespace {

/// Reads an input of a strip: neighbours, or one element in all lanes.
struct Neighbours {
  const float* from;
  PLIANT_INLINE Float whole(std::int64_t i) const { return load(from + i); }
  PLIANT_INLINE Float part(std::int64_t i, std::int64_t count) const {
    return load_partial(from + i, count);
  }
};
struct Single {
  Float value;
  PLIANT_INLINE Float whole(std::int64_t) const { return value; }
  PLIANT_INLINE Float part(std::int64_t, std::int64_t) const { return value; }
};

template <class Function, class... Inputs>
PLIANT_INLINE void run_loop(const DenseStrip& strip, const Inputs&... inputs) {
  const F32Attributes attributes{broadcast(static_cast<float>(strip.alpha)),
                                 broadcast(static_cast<float>(strip.beta))};
  float* result = static_cast<float*>(strip.result);
  std::int64_t i = 0;
  for (; i + kWidth <= strip.count; i += kWidth) {
    store(result + i, Function::apply(inputs.whole(i)..., attributes));
  }
  if (const std::int64_t rest = strip.count - i; rest > 0) {
    store_partial(result + i, Function::apply(inputs.part(i, rest)..., attributes), rest);
  }
}

PLIANT_INLINE Neighbours neighbours(const DenseStrip& strip, int input) {
  return {static_cast<const float*>(strip.inputs[input])};
}
PLIANT_INLINE Single single(const DenseStrip& strip, int input) {
  return {broadcast(*static_cast<const float*>(strip.inputs[input]))};
}

template <class Function>
void unary_loop(const DenseStrip& strip) {
  if (strip.steps[0] != 0) {
    run_loop<Function>(strip, neighbours(strip, 0));
  } else {
    run_loop<Function>(strip, single(strip, 0));
  }
}
template <class Function>
void binary_loop(const DenseStrip& strip) {
  if (strip.steps[0] != 0 && strip.steps[1] != 0) {
    run_loop<Function>(strip, neighbours(strip, 0), neighbours(strip, 1));
  } else if (strip.steps[0] != 0) {
    run_loop<Function>(strip, neighbours(strip, 0), single(strip, 1));
  } else if (strip.steps[1] != 0) {
    run_loop<Function>(strip, single(strip, 0), neighbours(strip, 1));
  } else {
    run_loop<Function>(strip, single(strip, 0), single(strip, 1));
  }
}

/// Any input may be single; the test is the same for every vector, so it costs little.
struct Either {
  const float* from;
  bool is_single;
  PLIANT_INLINE Float whole(std::int64_t i) const {
    return is_single ? broadcast(*from) : load(from + i);
  }
  PLIANT_INLINE Float part(std::int64_t i, std::int64_t count) const {
    return is_single ? broadcast(*from) : load_partial(from + i, count);
  }
};
PLIANT_INLINE Either either(const DenseStrip& strip, int input) {
  return {static_cast<const float*>(strip.inputs[input]), strip.steps[input] == 0};
}
template <class Function>
void ternary_loop(const DenseStrip& strip) {
  if (strip.steps[0] != 0 && strip.steps[1] == 0 && strip.steps[2] == 0) {
    run_loop<Function>(strip, neighbours(strip, 0), single(strip, 1), single(strip, 2));
  } else {
    run_loop<Function>(strip, either(strip, 0), either(strip, 1), either(strip, 2));
  }
}

/// POW by one exponent for all is a square most of the time; scalar_functions.h says the rest.
struct Square {
  static PLIANT_INLINE Float apply(Float x, const F32Attributes&) { return x * x; }
};
void power_loop(const DenseStrip& strip) {
  const float* base = static_cast<const float*>(strip.inputs[0]);
  const float* exponent = static_cast<const float*>(strip.inputs[1]);
  float* result = static_cast<float*>(strip.result);
  if (strip.steps[0] != 0 && strip.steps[1] == 0 && *exponent == 2.0f) {
    run_loop<Square>(strip, neighbours(strip, 0));
    return;
  }
  for (std::int64_t i = 0; i < strip.count; ++i) {
    const float x = base[i * strip.steps[0]];
    const float y = exponent[i * strip.steps[1]];
    result[i] = y == 2.0f ? x * x : (y == 1.0f ? x : __builtin_powf(x, y));
  }
}

}  // namespace

DenseLoop f32_loop(ElementwiseFunction function) {
  struct Row {
    ElementwiseFunction function;
    DenseLoop loop;
  };
  static constexpr Row kRows[] = {
#define F32_UNARY(Name) {ElementwiseFunction::k##Name, &unary_loop<Name>},
#define F32_BINARY(Name) {ElementwiseFunction::k##Name, &binary_loop<Name>},
#define F32_TERNARY(Name) {ElementwiseFunction::k##Name, &ternary_loop<Name>},
#define F32_POWER(Name) {ElementwiseFunction::k##Name, &power_loop},
#include "kernels/elementwise/kernels.inc"
  };
  for (const Row& row : kRows) {
    if (row.function == function) {
      return row.loop;
    }
  }
  return nullptr;
}

}  // namespace pliant::kernels::PLIANT_SIMD_LEVEL
