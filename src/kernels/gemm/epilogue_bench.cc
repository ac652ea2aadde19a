#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/gemm/epilogue.h"
#include "threads/thread_pool.h"

// activation(a b + bias) + residual: the chain on pieces of the product, or after it. b is packed
// before.

namespace pliant::kernels::gemm {
namespace {

struct Size {
  std::int64_t m, k, n;
};

constexpr Size kSizes[] = {{1, 768, 768},    {16, 768, 768},   {37, 768, 3072},
                           {128, 768, 768},  {128, 768, 3072}, {128, 3072, 768},
                           {512, 768, 3072}, {2048, 128, 512}, {32768, 64, 512}};

Chain dense_layer(ElementwiseFunction activation) {
  const auto loop = [](ElementwiseFunction function) {
    return find_elementwise_loop(function, DType::kF32, detected_cpu_level());
  };
  const DType types[] = {DType::kF32, DType::kF32, DType::kF32};
  const ChainLink links[] = {{.loop = loop(ElementwiseFunction::kAdd), .inputs = {0, 1}},
                             {.loop = loop(activation), .inputs = {3}},
                             {.loop = loop(ElementwiseFunction::kAdd), .inputs = {4, 2}}};
  const int results[] = {2};
  return *Chain::make(types, links, results, detected_cpu_level());
}

struct Work {
  Work(const Size& size, ElementwiseFunction activation, int workers)
      : a(elements(size.m * size.k, 0.01f)),
        b(elements(size.k * size.n, 0.02f)),
        panels(elements(packed_elements(micro_kernels(detected_cpu_level()), size.k, size.n), 0)),
        bias(elements(size.n, 0.1f)),
        residual(elements(size.m * size.n, 0.3f)),
        c(elements(size.m * size.n, 0)),
        chain(dense_layer(activation)) {
    MatMulArguments& g = arguments.product;
    g.m = size.m;
    g.n = size.n;
    g.k = size.k;
    g.a = a.data();
    g.a_row_stride = size.k;
    g.a_k_stride = 1;
    g.b = b.data();
    g.b_k_stride = size.n;
    g.b_column_stride = 1;
    g.c = c.data();
    g.c_row_stride = size.n;
    g.worker_count = workers;
    static_cast<void>(lay_out_packed_b(g, detected_cpu_level()));
    pack_all_of_b(g, DType::kF32, detected_cpu_level(), panels.data());
    g.packed_b = panels.data();
    const auto operand = [](std::vector<float>& memory, std::int64_t row_stride) {
      return EpilogueOperand{reinterpret_cast<std::byte*>(memory.data()), row_stride, 1};
    };
    arguments.epilogue.chain = &chain;
    arguments.epilogue.operands[0] = operand(c, size.n);
    arguments.epilogue.operands[1] = operand(bias, 0);
    arguments.epilogue.operands[2] = operand(residual, size.n);
    arguments.epilogue.results[0] = operand(c, size.n);
  }
  static std::vector<float> elements(std::int64_t count, float step) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(i % 17) * step - 8 * step;
    }
    return values;
  }

  void run_separately(ParallelFor& parallel) {
    const MatMulArguments& g = arguments.product;
    const KernelContext context{parallel, nullptr, detected_cpu_level()};
    matmul_f32(g, context);
    const Shape shape = {g.m, g.n};
    const TensorView product = contiguous_view(c.data(), DType::kF32, shape);
    const TensorView operands[] = {product,
                                   {bias.data(), DType::kF32, shape, {0, 1}},
                                   contiguous_view(residual.data(), DType::kF32, shape)};
    elementwise_chain(make_elementwise_chain(chain, operands, {&product, 1}), context);
  }
  void run_together(ParallelFor& parallel) {
    matmul_f32_with_epilogue(arguments, {parallel, nullptr, detected_cpu_level()});
  }

  std::vector<float> a, b, panels, bias, residual, c;
  Chain chain;
  MatMulWithEpilogueArguments arguments;
};

using Run = void (Work::*)(ParallelFor&);

struct Way {
  const char* name;
  Run run;
};
struct Activation {
  const char* name;
  ElementwiseFunction function;
};

void dense(benchmark::State& state, Run run, const Size& size, ElementwiseFunction activation,
           int workers) {
  const auto parallel = threads::parallel_for_on_pool(workers);
  Work work(size, activation, workers);
  for (auto _ : state) {
    (work.*run)(*parallel);
    benchmark::ClobberMemory();
  }
  const std::vector<float> result = work.c;
  SerialFor serial;
  work.run_separately(serial);
  if (std::memcmp(result.data(), work.c.data(), result.size() * sizeof(float)) != 0) {
    state.SkipWithError("the result is wrong");
    return;
  }
  state.counters["FLOP/s"] = benchmark::Counter(static_cast<double>(2 * size.m * size.k * size.n),
                                                benchmark::Counter::kIsIterationInvariantRate);
}

bool register_all() {
  for (const Activation& activation : {Activation{"relu", ElementwiseFunction::kRelu},
                                       Activation{"gelu", ElementwiseFunction::kGelu}}) {
    for (const int workers : {1, 2}) {
      for (const Size& size : kSizes) {
        for (const Way& way :
             {Way{"separate", &Work::run_separately}, Way{"epilogue", &Work::run_together}}) {
          const std::string title =
              "dense/" + std::string(activation.name) + "/threads:" + std::to_string(workers) +
              "/m:" + std::to_string(size.m) + "/k:" + std::to_string(size.k) +
              "/n:" + std::to_string(size.n) + "/" + way.name;
          benchmark::RegisterBenchmark(title.c_str(), dense, way.run, size, activation.function,
                                       workers)
              ->UseRealTime();
        }
      }
    }
  }
  return true;
}

[[maybe_unused]] const bool kRegistered = register_all();

}  // namespace
}  // namespace pliant::kernels::gemm
