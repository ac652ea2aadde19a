#pragma once

// Loops over one element at a time, and rows of a table with one loop per element type. Included by
// the files that instantiate them for a part of the functions.

#include <array>
#include <tuple>
#include <utility>

#include "kernels/elementwise/scalar_functions.h"
#include "tensor/dtype.h"

namespace pliant::kernels {

using ElementwiseRow = std::array<ElementwiseLoop, kDTypeCount>;

namespace {

template <class Function, class Result, class... Inputs, std::size_t... I>
void run_scalar_loop(const DenseStrip& strip, std::index_sequence<I...>) {
  const elementwise_functions::Attributes attributes{strip.alpha, strip.beta};
  auto* result = static_cast<Result*>(strip.result);
  const std::tuple<const Inputs*...> inputs{static_cast<const Inputs*>(strip.inputs[I])...};
  for (std::int64_t i = 0; i < strip.count; ++i) {
    result[i] = Function::apply(std::get<I>(inputs)[i]..., attributes);
  }
}
template <class Function, class Result, class... Inputs>
void scalar_loop(const DenseStrip& strip) {
  run_scalar_loop<Function, Result, Inputs...>(strip, std::index_sequence_for<Inputs...>{});
}

template <class Function, class Result, class... Inputs>
ElementwiseLoop make_loop() {
  ElementwiseLoop loop;
  loop.run = &scalar_loop<Function, Result, Inputs...>;
  loop.input_count = sizeof...(Inputs);
  const DType inputs[] = {kDTypeOf<Inputs>...};
  for (std::size_t i = 0; i < sizeof...(Inputs); ++i) {
    loop.inputs[i] = inputs[i];
  }
  loop.result = kDTypeOf<Result>;
  return loop;
}

constexpr std::size_t at(DType dtype) {
  return static_cast<std::size_t>(dtype);
}

template <template <class> class Make>
void add_floats(ElementwiseRow& row) {
  row[at(DType::kF32)] = Make<float>::loop();
  row[at(DType::kF64)] = Make<double>::loop();
  // 16-bit floats are converted around the loop of f32.
  row[at(DType::kF16)] = row[at(DType::kF32)];
  row[at(DType::kBF16)] = row[at(DType::kF32)];
}
template <template <class> class Make>
void add_integers(ElementwiseRow& row) {
  row[at(DType::kU8)] = Make<std::uint8_t>::loop();
  row[at(DType::kI8)] = Make<std::int8_t>::loop();
  row[at(DType::kU16)] = Make<std::uint16_t>::loop();
  row[at(DType::kI16)] = Make<std::int16_t>::loop();
  row[at(DType::kU32)] = Make<std::uint32_t>::loop();
  row[at(DType::kI32)] = Make<std::int32_t>::loop();
  row[at(DType::kU64)] = Make<std::uint64_t>::loop();
  row[at(DType::kI64)] = Make<std::int64_t>::loop();
}

template <class Function>
struct Signature {
  template <class T>
  struct Unary {
    static ElementwiseLoop loop() { return make_loop<Function, T, T>(); }
  };
  template <class T>
  struct Binary {
    static ElementwiseLoop loop() { return make_loop<Function, T, T, T>(); }
  };
  template <class T>
  struct Ternary {
    static ElementwiseLoop loop() { return make_loop<Function, T, T, T, T>(); }
  };
  template <class T>
  struct Test {
    static ElementwiseLoop loop() { return make_loop<Function, bool, T>(); }
  };
  template <class T>
  struct Compare {
    static ElementwiseLoop loop() { return make_loop<Function, bool, T, T>(); }
  };
  template <class T>
  struct Power {
    static ElementwiseLoop loop() { return make_loop<Function, T, T, std::int64_t>(); }
  };
  template <class T>
  struct PowerOfReal {
    static ElementwiseLoop loop() { return make_loop<Function, T, T, double>(); }
  };
};

// One function per word in the Types column of functions.inc.
template <class F>
ElementwiseRow UnaryFloat() {
  ElementwiseRow row;
  add_floats<Signature<F>::template Unary>(row);
  return row;
}
template <class F>
ElementwiseRow UnaryInteger() {
  ElementwiseRow row;
  add_integers<Signature<F>::template Unary>(row);
  return row;
}
template <class F>
ElementwiseRow UnaryNumber() {
  ElementwiseRow row;
  add_floats<Signature<F>::template Unary>(row);
  add_integers<Signature<F>::template Unary>(row);
  return row;
}
template <class F>
ElementwiseRow UnaryBool() {
  ElementwiseRow row;
  row[at(DType::kBool)] = make_loop<F, bool, bool>();
  return row;
}
template <class F>
ElementwiseRow TestFloat() {
  ElementwiseRow row;
  add_floats<Signature<F>::template Test>(row);
  return row;
}
template <class F>
ElementwiseRow BinaryNumber() {
  ElementwiseRow row;
  add_floats<Signature<F>::template Binary>(row);
  add_integers<Signature<F>::template Binary>(row);
  return row;
}
template <class F>
ElementwiseRow BinaryInteger() {
  ElementwiseRow row;
  add_integers<Signature<F>::template Binary>(row);
  return row;
}
template <class F>
ElementwiseRow BinaryBool() {
  ElementwiseRow row;
  row[at(DType::kBool)] = make_loop<F, bool, bool, bool>();
  return row;
}
template <class F>
ElementwiseRow Power() {
  ElementwiseRow row;
  add_floats<Signature<F>::template Binary>(row);
  add_integers<Signature<F>::template Power>(row);
  return row;
}
template <class F>
ElementwiseRow PowerOfReal() {
  ElementwiseRow row;
  add_integers<Signature<F>::template PowerOfReal>(row);
  return row;
}
template <class F>
ElementwiseRow CompareNumber() {
  ElementwiseRow row;
  add_floats<Signature<F>::template Compare>(row);
  add_integers<Signature<F>::template Compare>(row);
  return row;
}
template <class F>
ElementwiseRow CompareAny() {
  ElementwiseRow row = CompareNumber<F>();
  row[at(DType::kBool)] = make_loop<F, bool, bool, bool>();
  return row;
}
template <class F>
ElementwiseRow TernaryNumber() {
  ElementwiseRow row;
  add_floats<Signature<F>::template Ternary>(row);
  add_integers<Signature<F>::template Ternary>(row);
  return row;
}
template <class F>
ElementwiseRow TernaryFloat() {
  ElementwiseRow row;
  add_floats<Signature<F>::template Ternary>(row);
  return row;
}
/// Moves elements without looking at them, so only their size matters.
template <class F>
ElementwiseRow Select() {
  ElementwiseRow row;
  const auto by_size = [](std::size_t bytes) {
    switch (bytes) {
      case 1:
        return make_loop<F, std::uint8_t, bool, std::uint8_t, std::uint8_t>();
      case 2:
        return make_loop<F, std::uint16_t, bool, std::uint16_t, std::uint16_t>();
      case 4:
        return make_loop<F, std::uint32_t, bool, std::uint32_t, std::uint32_t>();
      default:
        return make_loop<F, std::uint64_t, bool, std::uint64_t, std::uint64_t>();
    }
  };
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto dtype = static_cast<DType>(i);
    row[i] = by_size(byte_size(dtype));
    row[i].inputs[1] = row[i].inputs[2] = row[i].result = dtype;
  }
  return row;
}

}  // namespace
}  // namespace pliant::kernels
