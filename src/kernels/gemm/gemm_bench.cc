#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/gemm/gemm.h"
#include "threads/parallel_for.h"

namespace pliant::kernels::gemm {
namespace {

struct Size {
  std::int64_t m, k, n;
};

// Rows of requests of usual lengths, and odd ones, times the matrices of a transformer of width 768.
constexpr Size kSizes[] = {{1, 768, 768},   {2, 768, 768},    {7, 768, 3072},   {16, 768, 768},
                           {37, 768, 3072}, {128, 768, 768},  {128, 768, 3072}, {128, 3072, 768},
                           {512, 768, 768}, {1000, 300, 100}, {64, 64, 64}};

/// One thread, B packed before.
void product(benchmark::State& state, CpuLevel level, const Size& size) {
  const MicroKernels& kernels = micro_kernels(level);
  const auto elements = [](std::int64_t count) {
    return std::vector<float>(static_cast<std::size_t>(count), 0.5f);
  };
  const std::vector<float> a = elements(size.m * size.k);
  const std::vector<float> panels = elements(packed_elements(kernels, size.k, size.n));
  std::vector<float> c = elements(size.m * size.n);
  const GemmArguments arguments = {.m = size.m,
                                   .n = size.n,
                                   .k = size.k,
                                   .a = a.data(),
                                   .a_row_stride = size.k,
                                   .b = packed_panels(kernels, panels.data(), size.k),
                                   .c = c.data(),
                                   .c_row_stride = size.n};
  for (auto _ : state) {
    gemm_serial(kernels, arguments, SerialFor());
    benchmark::ClobberMemory();
  }
  // Every element is k products of 0.5 and 0.5, which f32 holds exactly.
  for (const float value : c) {
    if (value != 0.25f * static_cast<float>(size.k)) {
      state.SkipWithError("the product is wrong");
      return;
    }
  }
  state.counters["FLOP/s"] = benchmark::Counter(static_cast<double>(2 * size.m * size.k * size.n),
                                                benchmark::Counter::kIsIterationInvariantRate);
}

bool register_all() {
  for (const CpuLevel level : {CpuLevel::kPortable, CpuLevel::kAvx2, CpuLevel::kAvx512}) {
    for (const Size& size : kSizes) {
      if (level <= detected_cpu_level()) {
        const std::string title = "gemm/" + std::string(name(level)) +
                                  "/m:" + std::to_string(size.m) + "/k:" + std::to_string(size.k) +
                                  "/n:" + std::to_string(size.n);
        benchmark::RegisterBenchmark(title.c_str(), product, level, size);
      }
    }
  }
  return true;
}

[[maybe_unused]] const bool kRegistered = register_all();

}  // namespace
}  // namespace pliant::kernels::gemm
