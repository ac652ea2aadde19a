// What a plan adds to its kernels, and what compiling costs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "base/cpu_features.h"
#include "bench/value_or_exit.h"
#include "plan/capture.h"
#include "plan/compile.h"
#include "plan/emit.h"
#include "plan/passes.h"
#include "plan/run.h"
#include "program/builder.h"
#include "threads/parallel_for.h"
#include "verify/verify.h"

namespace pliant::plan {
namespace {

using bench::value_or_exit;

constexpr int kLength = 200;

InputDeclaration matrix_input(Builder& builder) {
  return {std::string("x"),
          DType::kF32,
          {{InputExtent::Kind::kSymbol, builder.symbol("n")},
           {InputExtent::Kind::kSymbol, builder.symbol("m")}},
          true,
          std::nullopt};
}

/// Copies with the axes exchanged (TRANSPOSE, then TILE by 1 x 1 with sizes that only a run knows)
/// and sums that keep their axis, in turn: tiny steps that no pass can join.
VerifiedProgram unfusable_chain() {
  Builder builder("chain");
  const int input = builder.add_input(matrix_input(builder));
  const int output = builder.add_output("y");
  isa::Operand x = builder.new_tensor();
  builder.emit(isa::Opcode::kLoadTensor, {x, isa::input(input)});
  for (int i = 0; i < kLength; i += 2) {
    const isa::Operand turned = builder.new_tensor();
    const isa::Operand moved = builder.new_tensor();
    const isa::Operand sum = builder.new_tensor();
    builder.emit(isa::Opcode::kTranspose, {turned, x});
    builder.emit(isa::Opcode::kConcat, {moved, isa::list({turned, turned})},
                 {{"axis", isa::number(0)}});
    builder.emit(isa::Opcode::kReduceSum, {sum, moved},
                 {{"axis", isa::numbers(std::vector<int>{0})}, {"keepdims", isa::flag(true)}});
    x = sum;
  }
  builder.emit(isa::Opcode::kStoreTensor, {isa::output(output), x});
  return value_or_exit(verify::verify(builder.take()));
}

VerifiedProgram chain_of_adds() {
  Builder builder("chain");
  const int input = builder.add_input(matrix_input(builder));
  const int output = builder.add_output("y");
  StoredTensor one = make_constant(DType::kF32, {1});
  *one.view.as<float>() = 1;
  const int constant = builder.add_constant("one", one);
  isa::Operand x = builder.new_tensor();
  builder.emit(isa::Opcode::kLoadTensor, {x, isa::input(input)});
  for (int i = 0; i < kLength; ++i) {
    const isa::Operand next = builder.new_tensor();
    builder.emit(isa::Opcode::kElementwiseAdd, {next, x, isa::constant(constant)});
    x = next;
  }
  builder.emit(isa::Opcode::kStoreTensor, {isa::output(output), x});
  return value_or_exit(verify::verify(builder.take()));
}

struct Machine {
  memory::Pool pool{memory::PoolOptions{}};
  SerialFor parallel;
  bind::PackedConstants packed;
  [[nodiscard]] Environment environment() {
    return {pool, parallel, detected_cpu_level(), &packed};
  }
};

CompiledSegment compile(const VerifiedProgram& program) {
  const RegisterUses uses(*program);
  return compile_segment({*program, uses, 0, program->instructions.size()},
                         declared_ranks(*program), {}, {detected_cpu_level(), false});
}

/// Runs with `signatures` different sizes in turn: few are remembered, more than BoundRuns::kMost
/// are bound anew each time.
void run_chain(benchmark::State& state, const VerifiedProgram& program) {
  const CompiledSegment segment = compile(program);
  DeclineReason reason = DeclineReason::kNone;
  const std::shared_ptr<const Plan> floor = compile_any_size(segment, reason);
  Machine machine;
  const Environment environment = machine.environment();
  Workspace workspace;
  RunResults results;
  const std::int64_t signatures = state.range(0);
  std::vector<StoredTensor> inputs;
  for (std::int64_t i = 0; i < signatures; ++i) {
    StoredTensor input = make_constant(DType::kF32, {4 + i % 16, 4 + i / 16});
    std::fill_n(input.view.as<float>(), input.view.element_count(), 0.0F);
    inputs.push_back(std::move(input));
  }
  std::int64_t next = 0;
  for (auto _ : state) {
    const StoredTensor& input = inputs[static_cast<std::size_t>(next)];
    next = (next + 1) % signatures;
    const std::int64_t signature[] = {input.view.shape[0], input.view.shape[1]};
    reason = run(*floor, {signature, std::span(&input, 1), 0}, environment, workspace, results);
    if (reason != DeclineReason::kNone) {
      state.SkipWithError("declined");
      return;
    }
  }
  state.counters["steps"] = static_cast<double>(floor->steps.size());
}

void run_unfusable_chain(benchmark::State& state) {
  run_chain(state, unfusable_chain());
}
BENCHMARK(run_unfusable_chain)->Arg(1)->Arg(32)->Arg(200);

void run_chain_of_adds(benchmark::State& state) {
  run_chain(state, chain_of_adds());
}
BENCHMARK(run_chain_of_adds)->Arg(1)->Arg(32)->Arg(200);

InputDeclaration rows_input(Builder& builder, const char* name) {
  return {name,
          DType::kF32,
          {{InputExtent::Kind::kSymbol, builder.symbol("n")},
           {InputExtent::Kind::kSymbol, builder.symbol("m")}},
          true,
          std::nullopt};
}

/// A row-wise instruction of a sum of two inputs, which is scaled first.
VerifiedProgram row_wise(isa::Opcode opcode) {
  Builder builder("rows");
  const int inputs[] = {builder.add_input(rows_input(builder, "x")),
                        builder.add_input(rows_input(builder, "z"))};
  const int output = builder.add_output("y");
  StoredTensor half = make_constant(DType::kF32, {1});
  *half.view.as<float>() = 0.5F;
  const int constant = builder.add_constant("half", half);
  isa::Operand tensors[5];
  for (isa::Operand& tensor : tensors) {
    tensor = builder.new_tensor();
  }
  builder.emit(isa::Opcode::kLoadTensor, {tensors[0], isa::input(inputs[0])});
  builder.emit(isa::Opcode::kLoadTensor, {tensors[1], isa::input(inputs[1])});
  builder.emit(isa::Opcode::kElementwiseMultiply,
               {tensors[2], tensors[0], isa::constant(constant)});
  builder.emit(isa::Opcode::kElementwiseAdd, {tensors[3], tensors[2], tensors[1]});
  builder.emit(opcode, {tensors[4], tensors[3]});
  builder.emit(isa::Opcode::kStoreTensor, {isa::output(output), tensors[4]});
  return value_or_exit(verify::verify(builder.take()));
}

enum class Rows { kTogether, kOneAfterTheOther };

/// Arguments: rows, columns.
void run_row_wise(benchmark::State& state, isa::Opcode opcode, Rows rows) {
  const VerifiedProgram program = row_wise(opcode);
  const RegisterUses uses(*program);
  Graph graph =
      capture({*program, uses, 0, program->instructions.size()}, declared_ranks(*program), {})
          .graph;
  graph.lasting_constants.assign(graph.constants.size(), true);
  group_elementwise(graph, detected_cpu_level());
  if (rows == Rows::kTogether) {
    join_rows(graph);
  }
  shapes::Box box = shapes::any_box(graph.entries);
  DeclineReason reason = DeclineReason::kNone;
  const auto plan = emit(std::move(graph), std::move(box), detected_cpu_level(), reason);
  Machine machine;
  const Environment environment = machine.environment();
  Workspace workspace;
  RunResults results;
  std::vector<StoredTensor> inputs;
  for (int i = 0; i < 2; ++i) {
    inputs.push_back(make_constant(DType::kF32, {state.range(0), state.range(1)}));
    float value = 0;
    std::generate_n(inputs.back().view.as<float>(), inputs.back().view.element_count(),
                    [&] { return value = value > 3 ? -3 : value + 0.37F; });
  }
  const std::int64_t signature[] = {state.range(0), state.range(1)};
  for (auto _ : state) {
    reason = run(*plan, {signature, inputs, 0}, environment, workspace, results);
    if (reason != DeclineReason::kNone) {
      state.SkipWithError("declined");
      return;
    }
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(1));
}

void row_sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({100, 768})->Args({1000, 768})->Args({3000, 768})->Args({16000, 768});
  benchmark->Args({500, 128})->Args({10000, 128})->Args({40000, 128})->Args({300, 5000});
}
BENCHMARK_CAPTURE(run_row_wise, layer_norm_together, isa::Opcode::kLayerNorm, Rows::kTogether)
    ->Apply(row_sizes);
BENCHMARK_CAPTURE(run_row_wise, layer_norm_apart, isa::Opcode::kLayerNorm, Rows::kOneAfterTheOther)
    ->Apply(row_sizes);
BENCHMARK_CAPTURE(run_row_wise, softmax_together, isa::Opcode::kSoftmax, Rows::kTogether)
    ->Apply(row_sizes);
BENCHMARK_CAPTURE(run_row_wise, softmax_apart, isa::Opcode::kSoftmax, Rows::kOneAfterTheOther)
    ->Apply(row_sizes);

void compile_chain(benchmark::State& state) {
  const VerifiedProgram program = unfusable_chain();
  for (auto _ : state) {
    benchmark::DoNotOptimize(compile(program));
  }
}
BENCHMARK(compile_chain)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace pliant::plan
