#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/elementwise/chain.h"
#include "threads/parallel_for.h"

// gelu(x + bias) + residual over rows of a transformer's width: three instructions, or one chain.
// One thread.

namespace pliant::kernels {
namespace {

constexpr std::int64_t kWidth = 768;

struct Work {
  explicit Work(std::int64_t rows)
      : shape{rows, kWidth},
        x(static_cast<std::size_t>(rows * kWidth)),
        bias(static_cast<std::size_t>(kWidth)),
        residual(x.size()),
        result(x.size()),
        between(x.size()) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(i % 101) * 0.05f - 2.5f;
      residual[i] = static_cast<float>(i % 67) * 0.1f;
    }
    for (std::size_t i = 0; i < bias.size(); ++i) {
      bias[i] = static_cast<float>(i % 13) * 0.1f;
    }
  }
  TensorView view(std::vector<float>& memory) const {
    return contiguous_view(memory.data(), DType::kF32, shape);
  }
  TensorView bias_view() { return {bias.data(), DType::kF32, shape, {0, 1}}; }

  Shape shape;
  std::vector<float> x;
  std::vector<float> bias;
  std::vector<float> residual;
  std::vector<float> result;
  std::vector<float> between;
};

ElementwiseLoop loop(ElementwiseFunction function) {
  return find_elementwise_loop(function, DType::kF32, detected_cpu_level());
}

/// A plan may write the second and third result over the first; so does this.
void run_one_by_one(Work& work, std::vector<float>& result) {
  SerialFor serial;
  const CpuLevel level = detected_cpu_level();
  const KernelContext context{serial, nullptr, level};
  const TensorView sum_inputs[] = {work.view(work.x), work.bias_view()};
  const TensorView between = work.view(work.between);
  elementwise(make_elementwise(loop(ElementwiseFunction::kAdd), sum_inputs, between, level),
              context);
  elementwise(make_elementwise(loop(ElementwiseFunction::kGelu), &between, between, level),
              context);
  const TensorView last_inputs[] = {between, work.view(work.residual)};
  elementwise(
      make_elementwise(loop(ElementwiseFunction::kAdd), last_inputs, work.view(result), level),
      context);
}

Chain dense_layer() {
  const DType types[] = {DType::kF32, DType::kF32, DType::kF32};
  const ChainLink links[] = {{.loop = loop(ElementwiseFunction::kAdd), .inputs = {0, 1}},
                             {.loop = loop(ElementwiseFunction::kGelu), .inputs = {3}},
                             {.loop = loop(ElementwiseFunction::kAdd), .inputs = {4, 2}}};
  const int results[] = {2};
  return *Chain::make(types, links, results, detected_cpu_level());
}

void run_chain(Work& work, const Chain& chain, std::vector<float>& result) {
  SerialFor serial;
  const TensorView operands[] = {work.view(work.x), work.bias_view(), work.view(work.residual)};
  const TensorView stored = work.view(result);
  elementwise_chain(make_elementwise_chain(chain, operands, {&stored, 1}),
                    {serial, nullptr, detected_cpu_level()});
}

void finish(benchmark::State& state, Work& work) {
  std::vector<float> expected(work.result.size());
  run_one_by_one(work, expected);
  if (std::memcmp(work.result.data(), expected.data(), expected.size() * sizeof(float)) != 0) {
    state.SkipWithError("the result is wrong");
    return;
  }
  state.counters["ns/element"] = benchmark::Counter(
      static_cast<double>(expected.size()) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void one_by_one(benchmark::State& state) {
  Work work(state.range(0));
  for (auto _ : state) {
    run_one_by_one(work, work.result);
    benchmark::ClobberMemory();
  }
  finish(state, work);
}

void chain(benchmark::State& state) {
  Work work(state.range(0));
  const Chain layer = dense_layer();
  for (auto _ : state) {
    run_chain(work, layer, work.result);
    benchmark::ClobberMemory();
  }
  finish(state, work);
}

// In the first-level cache, in the second, in the third, in memory.
BENCHMARK(one_by_one)->Name("elementwise/one_by_one/rows")->Arg(1)->Arg(16)->Arg(256)->Arg(8192);
BENCHMARK(chain)->Name("elementwise/chain/rows")->Arg(1)->Arg(16)->Arg(256)->Arg(8192);

}  // namespace
}  // namespace pliant::kernels
