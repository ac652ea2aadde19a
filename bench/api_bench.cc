// What a run costs from outside: fixed cost, cost per instruction, and products of usual sizes.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <pliant/session.h>

#include "bench/value_or_exit.h"

namespace {

using pliant::DType;
using pliant::Model;
using pliant::NamedTensor;
using pliant::Session;
using pliant::Tensor;
using pliant::bench::value_or_exit;

Session session_of(const std::string& text) {
  return value_or_exit(
      Session::create(value_or_exit(Model::from_assembly(text, "benchmark.pasm"))));
}

NamedTensor ones(const char* name, const std::vector<std::int64_t>& shape) {
  Tensor tensor = value_or_exit(Tensor::allocate(DType::kF32, shape));
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
    static_cast<float*>(tensor.mutable_data())[i] = 1.0f;
  }
  return {name, tensor};
}

void run(benchmark::State& state, Session& session, const std::vector<NamedTensor>& inputs) {
  for (auto _ : state) {
    auto outputs = session.run(inputs);
    if (!outputs) {
      state.SkipWithError(outputs.error().to_string().c_str());
      return;
    }
    benchmark::DoNotOptimize(outputs->data());
  }
}

/// A chain of additions on 16 floats: the kernels cost next to nothing, so time per instruction is
/// overhead.
void chain_of_small_additions(benchmark::State& state) {
  const std::int64_t length = state.range(0);
  std::string text = ".input x f32[n]\n.output y\nLOAD_TENSOR r0, x\n";
  for (std::int64_t i = 0; i < length; ++i) {
    text += "ELEMENTWISE_ADD r" + std::to_string((i + 1) % 2) + ", r" + std::to_string(i % 2) +
            ", x0\n";
  }
  text += "STORE_TENSOR y, r" + std::to_string(length % 2) + "\n";
  text.insert(0, ".const x0 f32[16] = seeded(1)\n");
  Session session = session_of(text);
  run(state, session, {ones("x", {16})});
  state.counters["instructions"] = benchmark::Counter(
      static_cast<double>(length), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(chain_of_small_additions)->Arg(0)->Arg(200);

/// x [m, k] times a constant [k, n].
void product_with_constant(benchmark::State& state) {
  const std::int64_t m = state.range(0);
  const std::int64_t k = state.range(1);
  const std::int64_t n = state.range(2);
  Session session =
      session_of(".const w f32[" + std::to_string(k) + ", " + std::to_string(n) +
                 "] = seeded(7)\n" + ".input x f32[m, " + std::to_string(k) +
                 "]\n.output y\nLOAD_TENSOR r0, x\nMATMUL r1, r0, w\nSTORE_TENSOR y, r1\n");
  run(state, session, {ones("x", {m, k})});
  state.counters["FLOP/s"] = benchmark::Counter(static_cast<double>(2 * m * k * n),
                                                benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(product_with_constant)
    ->ArgNames({"m", "k", "n"})
    ->Args({1, 768, 768})
    ->Args({37, 768, 3072})
    ->Args({128, 768, 768})
    ->Args({128, 3072, 768})
    ->Args({1024, 768, 3072})
    ->UseRealTime();

}  // namespace
