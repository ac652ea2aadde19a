// What specialising is worth: each workload by the interpreter and by plans for any size, for a
// bucket and for exactly the sizes, taking turns within one loop. Counters are medians of ratios:
// time over that of the exact plan. Answers are compared.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <pliant/session.h>

#include "bench/value_or_exit.h"
#include "encoder.h"

namespace {

using pliant::DType;
using pliant::NamedTensor;
using pliant::Session;
using pliant::Tensor;
using pliant::Tier;
using pliant::bench::value_or_exit;

constexpr std::array kTiers = {Tier::kInterpreter, Tier::kAny, Tier::kBucketed, Tier::kExact};
constexpr std::size_t kExact = kTiers.size() - 1;

/// Requests that are run in turn.
using Requests = std::vector<std::vector<NamedTensor>>;

bool is_close(const Tensor& a, const Tensor& b) {
  if (a.dtype() != DType::kF32 || a.shape() != b.shape()) {
    return a.shape() == b.shape();
  }
  const auto x = a.values<float>();
  const auto y = b.values<float>();
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::abs(x[i] - y[i]) > 1e-4F + 1e-3F * std::abs(y[i])) {
      return false;
    }
  }
  return true;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// One iteration runs each request by each tier. The time of an iteration is that of the plan for
/// any size.
void compare_tiers(benchmark::State& state, Session& session, const Requests& requests) {
  std::array<std::vector<double>, kTiers.size()> ratios;
  const auto run = [&](const std::vector<NamedTensor>& request, Tier tier, double& seconds) {
    const auto start = std::chrono::steady_clock::now();
    auto outputs = value_or_exit(session.run(request, {.tier = tier}));
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return outputs;
  };
  double ignored = 0;
  for (const auto& request : requests) {  // compiles, packs weights, and checks
    const auto expected = run(request, Tier::kInterpreter, ignored);
    for (const Tier tier : kTiers) {
      const auto actual = run(request, tier, ignored);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!is_close(actual[i], expected[i])) {
          state.SkipWithError("the tiers disagree");
          return;
        }
      }
    }
  }
  std::size_t next = 0;
  std::size_t turn = 0;
  for (auto _ : state) {
    std::array<double, kTiers.size()> seconds{};
    const auto& request = requests[next++ % requests.size()];
    for (std::size_t i = 0; i < kTiers.size(); ++i) {  // a different one is first each time
      const std::size_t tier = (i + turn) % kTiers.size();
      benchmark::DoNotOptimize(run(request, kTiers[tier], seconds[tier]));
    }
    ++turn;
    state.SetIterationTime(seconds[1]);
    for (std::size_t tier = 0; tier < kTiers.size(); ++tier) {
      ratios[tier].push_back(seconds[tier] / seconds[kExact]);
    }
  }
  for (std::size_t tier = 0; tier < kExact; ++tier) {
    state.counters[pliant::tier_name(kTiers[tier])] = median(ratios[tier]);
  }
}

Tensor filled(DType dtype, const std::vector<std::int64_t>& shape) {
  Tensor tensor = value_or_exit(Tensor::allocate(dtype, shape));
  std::uint32_t state = 1;
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
    state = state * 1664525U + 1013904223U;
    if (dtype == DType::kF32) {
      static_cast<float*>(tensor.mutable_data())[i] =
          static_cast<float>(state >> 8U) / 8388608.0F - 1.0F;
    } else {
      static_cast<std::int64_t*>(tensor.mutable_data())[i] =
          static_cast<std::int64_t>(state >> 30U);
    }
  }
  return tensor;
}

// ---- workloads ----

/// The 12-layer encoder of the demo.
Session& encoder() {
  static Session session = [] {
    const std::string path =
        (std::filesystem::temp_directory_path() / "pliant_bench_encoder.onnx").string();
    value_or_exit(demo::write_encoder({}, path));
    return value_or_exit(Session::load(path));
  }();
  return session;
}

void run_encoder(benchmark::State& state, std::int64_t batch,
                 const std::vector<std::int64_t>& lengths) {
  Requests requests;
  for (const std::int64_t length : lengths) {
    requests.push_back({{"input_ids", filled(DType::kI64, {batch, length})}});
  }
  compare_tiers(state, encoder(), requests);
}

void encoder_batch_1(benchmark::State& state) {
  run_encoder(state, 1, {state.range(0)});
}
BENCHMARK(encoder_batch_1)
    ->Arg(16)
    ->Arg(64)
    ->Arg(200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// The headline: batch 16, lengths between 64 and 512.
void encoder_64_512_b16(benchmark::State& state) {
  run_encoder(state, 16, {64, 131, 217, 300, 389, 512});
}
BENCHMARK(encoder_64_512_b16)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(6);

/// 256-1024-256 with a batch that changes from run to run.
void mlp_batch_1_64(benchmark::State& state) {
  static Session session = value_or_exit(Session::create(value_or_exit(pliant::Model::from_assembly(
      ".input x f32[batch, 256]\n"
      ".const w1 f32[256, 1024] = seeded(1)\n.const b1 f32[1024] = full(0.1)\n"
      ".const w2 f32[1024, 256] = seeded(2)\n.const b2 f32[256] = full(0.1)\n"
      ".output y\n"
      "LOAD_TENSOR r0, x\nMATMUL r1, r0, w1\nELEMENTWISE_ADD r2, r1, b1\nELEMENTWISE_GELU r3, r2\n"
      "MATMUL r4, r3, w2\nELEMENTWISE_ADD r5, r4, b2\nELEMENTWISE_ADD r6, r5, r0\n"
      "STORE_TENSOR y, r6\n",
      "mlp.pasm"))));
  Requests requests;
  for (const std::int64_t batch : {1, 7, 64, 12, 33, 2, 50, 21, 5, 60}) {
    requests.push_back({{"x", filled(DType::kF32, {batch, 256})}});
  }
  compare_tiers(state, session, requests);
}
BENCHMARK(mlp_batch_1_64)->UseManualTime()->Unit(benchmark::kMicrosecond);

/// Models that lie in the folder named by PLIANT_BENCH_MODELS; without it these are left out.
std::string model_path(const char* name) {
  const char* const folder = std::getenv("PLIANT_BENCH_MODELS");
  return folder == nullptr ? std::string() : std::string(folder) + "/" + name;
}

void text_recogniser(benchmark::State& state) {
  const std::string path = model_path("ppocr_rec.onnx");
  if (path.empty() || !std::filesystem::exists(path)) {
    state.SkipWithError("needs ppocr_rec.onnx in the folder that PLIANT_BENCH_MODELS names");
    return;
  }
  static Session session = value_or_exit(Session::load(path));
  Requests requests;
  for (const std::int64_t width : {100, 320, 733, 210, 1100}) {
    requests.push_back(
        {{session.model().inputs()[0].name, filled(DType::kF32, {1, 3, 48, width})}});
  }
  compare_tiers(state, session, requests);
}
BENCHMARK(text_recogniser)->UseManualTime()->Unit(benchmark::kMillisecond);

void graph_network(benchmark::State& state) {
  const std::string path = model_path("x_gcn.onnx");
  if (path.empty() || !std::filesystem::exists(path)) {
    state.SkipWithError("needs x_gcn.onnx in the folder that PLIANT_BENCH_MODELS names");
    return;
  }
  static Session session = value_or_exit(Session::load(path));
  Requests requests;
  for (const std::int64_t nodes : {10, 200, 57, 1000}) {
    requests.push_back({{"x", filled(DType::kF32, {nodes, 16})},
                        {"edge_index", filled(DType::kI64, {2, 4 * nodes})}});
  }
  compare_tiers(state, session, requests);
}
BENCHMARK(graph_network)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
