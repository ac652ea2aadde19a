// A storm of shapes: nearly every run brings sizes that were never seen before. The same runs are
// made three times; new sizes must cost no more than seen ones, and nothing may grow.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <pliant/session.h>

#include "bench/value_or_exit.h"
#include "encoder.h"

namespace {

using Clock = std::chrono::steady_clock;
using pliant::DType;
using pliant::NamedTensor;
using pliant::Session;
using pliant::Tensor;
using pliant::bench::value_or_exit;

Session two_layer_encoder() {
  const std::string path =
      (std::filesystem::temp_directory_path() / "pliant_bench_storm.onnx").string();
  const demo::EncoderSizes sizes{.layers = 2, .hidden = 256, .vocabulary = 4096, .positions = 512};
  value_or_exit(demo::write_encoder(sizes, path));
  return value_or_exit(Session::load(path));
}

std::size_t resident_bytes() {
  std::size_t total = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

double percentile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

/// `state.range(0)` runs of batch 1..64 and length 30..280, uniform, three times over. Counters: the
/// 99th percentile over runs of first time over second, and of third over second; the share of one
/// core that compiling took; plans; growth of resident memory over the second and third time.
void storm(benchmark::State& state) {
  Session session = two_layer_encoder();
  const std::int64_t runs = state.range(0);
  std::vector<std::vector<double>> seconds(3);
  std::size_t resident_after_first = 0;
  for (auto _ : state) {
    const auto start = Clock::now();
    for (int time = 0; time < 3; ++time) {
      std::uint64_t random = 88172645463325252U;
      const auto below = [&](std::uint64_t limit) {
        random ^= random << 13U;
        random ^= random >> 7U;
        random ^= random << 17U;
        return static_cast<std::int64_t>(random % limit);
      };
      for (std::int64_t run = 0; run < runs; ++run) {
        const std::int64_t shape[] = {1 + below(64), 30 + below(251)};
        Tensor ids = value_or_exit(Tensor::allocate(DType::kI64, shape));
        std::fill_n(static_cast<std::int64_t*>(ids.mutable_data()), ids.element_count(), 7);
        const NamedTensor inputs[] = {{"input_ids", ids}};
        const auto begin = Clock::now();
        benchmark::DoNotOptimize(value_or_exit(session.run(inputs)));
        seconds[static_cast<std::size_t>(time)].push_back(
            std::chrono::duration<double>(Clock::now() - begin).count());
      }
      resident_after_first = time == 0 ? resident_bytes() : resident_after_first;
    }
    const double total = std::chrono::duration<double>(Clock::now() - start).count();
    std::vector<double> first;
    std::vector<double> third;
    for (std::size_t i = 0; i < seconds[0].size(); ++i) {
      first.push_back(seconds[0][i] / seconds[1][i]);
      third.push_back(seconds[2][i] / seconds[1][i]);
    }
    session.finish_compiling();
    const auto plans = session.statistics().plans.total;
    state.counters["first/second p99"] = percentile(first, 0.99);
    state.counters["third/second p99"] = percentile(third, 0.99);
    state.counters["compile share"] = plans.compile_seconds / total;
    state.counters["plans"] = static_cast<double>(plans.plans);
    state.counters["grown MB"] =
        (static_cast<double>(resident_bytes()) - static_cast<double>(resident_after_first)) / 1e6;
  }
}
BENCHMARK(storm)->Arg(100)->Arg(2000)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
