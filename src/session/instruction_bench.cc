// What the interpreter adds to the kernels of instructions: chains of instructions on 16 floats,
// against the same kernel, bound once and called as often.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/cpu_features.h"
#include "bench/value_or_exit.h"
#include "bind/packed_constants.h"
#include "interp/interpreter.h"
#include "memory/pool.h"
#include "text/assembler.h"
#include "threads/parallel_for.h"
#include "verify/verify.h"

namespace pliant {
namespace {

using bench::value_or_exit;

constexpr int kLength = 200;
constexpr std::size_t kSampleCount = 2000;

/// Two instructions and the register that they leave a result in. They are repeated; r0 is an input
/// f32[4, 4] that holds 0 to 15, c a constant of ones.
struct Chain {
  const char* name;
  const char* instructions;
  const char* result;
  float (*expected)(int i);  ///< element i of the result after kLength instructions
};

constexpr Chain kChains[] = {
    {"add", "ELEMENTWISE_ADD r1, r0, c\nELEMENTWISE_ADD r0, r1, c\n", "r0",
     [](int i) { return static_cast<float>(i + kLength); }},
    {"reduce", "REDUCE_SUM r1, r0, axis=1\nREDUCE_SUM r1, r0, axis=1\n", "r1",
     [](int i) { return static_cast<float>(16 * i + 6); }},
    {"transposed_copy", "TRANSPOSE r1, r0\nTILE r0, r1, [1, 1]\n", "r0",
     [](int i) { return static_cast<float>(i); }},
    {"view", "TRANSPOSE r1, r0\nTRANSPOSE r0, r1\n", "r0",
     [](int i) { return static_cast<float>(i); }},
};

VerifiedProgram program_of(const Chain& chain, int length) {
  std::string text = ".const c f32[4, 4] = full(1)\n.input x f32[4, 4]\n.output y\n";
  text += "LOAD_TENSOR r0, x\nMOVE_REG r1, r0\n";
  for (int i = 0; i < length; i += 2) {
    text += chain.instructions;
  }
  text += std::string("STORE_TENSOR y, ") + chain.result + "\n";
  Diagnostics diagnostics;
  return value_or_exit(
      verify::verify(value_or_exit(text::assemble(text, "benchmark.pasm", diagnostics))));
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class Function>
double nanoseconds(const Function& function) {
  const auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

/// What programs run with, and their input.
struct Machine {
  Machine() : input(value_or_exit(pool.allocate(DType::kF32, 16))) {
    for (int i = 0; i < 16; ++i) {
      static_cast<float*>(input->data())[i] = static_cast<float>(i);
    }
    inputs[0] = {contiguous_view(input->data(), DType::kF32, {4, 4}), input};
  }

  [[nodiscard]] interp::Environment environment() {
    return {pool, parallel, detected_cpu_level(), &packed};
  }

  memory::Pool pool{memory::PoolOptions{}};
  SerialFor parallel;
  bind::PackedConstants packed;
  std::shared_ptr<Storage> input;
  StoredTensor inputs[1];
};

/// The kernel of a chain's second instruction, bound as a run binds it.
class BoundKernel {
 public:
  BoundKernel(Machine& machine, const Chain& chain)
      : environment_(machine.environment()), program_(program_of(chain, 2)), frame_(program_) {
    frame_.inputs = machine.inputs;
    interp::Run run{program_, environment_, environment_.parallel, frame_};
    // All but the last two steps, which store the result and end the program. Nothing is released,
    // so the operands keep their memory.
    for (const interp::Step& step : program_.steps()) {
      if (step.instruction->opcode == isa::Opcode::kStoreTensor) {
        break;
      }
      if (!step.execute(run, step)) {
        std::exit(1);
      }
    }
  }

  void operator()() const {
    frame_.context.call(kernels::KernelContext{environment_.parallel, nullptr, environment_.level});
  }

 private:
  interp::Environment environment_;
  interp::PreparedProgram program_;
  interp::Frame frame_;
};

bool is_right(const Chain& chain, const StoredTensor& result) {
  for (int i = 0; i < result.view.element_count(); ++i) {
    if (result.view.as<float>()[i] != chain.expected(i)) {
      return false;
    }
  }
  return result.view.element_count() > 0;
}

/// Time per instruction, of the kernel alone (of half an instruction where every other one is a
/// view), and the difference: medians of samples that take turns, so a busy machine slows all of
/// them alike.
void instruction(benchmark::State& state, const Chain& chain) {
  Machine machine;
  const interp::Environment environment = machine.environment();
  interp::Interpreter whole(program_of(chain, kLength), environment);
  interp::Interpreter empty(program_of(chain, 0), environment);
  const BoundKernel kernel(machine, chain);
  const auto run = [&](interp::Interpreter& interpreter) {
    return value_or_exit(interpreter.run({machine.inputs, {}, 0}));
  };
  if (!is_right(chain, run(whole)[0])) {
    state.SkipWithError("the result is wrong");
    return;
  }
  const bool is_view = std::string_view(chain.name) == "view";
  const bool has_views = std::string_view(chain.instructions).find("TRANSPOSE") == 0;
  const int kernel_calls = is_view ? 0 : has_views ? kLength / 2 : kLength;
  std::vector<double> instructions;
  std::vector<double> kernels;
  std::vector<double> overheads;
  for (auto _ : state) {
    const double total = nanoseconds([&] { benchmark::DoNotOptimize(run(whole)); });
    const double fixed = nanoseconds([&] { benchmark::DoNotOptimize(run(empty)); });
    const double calls = nanoseconds([&] {
      for (int i = 0; i < kernel_calls; ++i) {
        kernel();
        benchmark::ClobberMemory();
      }
    });
    instructions.push_back((total - fixed) / kLength);
    kernels.push_back(calls / kLength);
    overheads.push_back((total - fixed - calls) / kLength);
  }
  state.counters["instruction_ns"] = median(instructions);
  state.counters["kernel_ns"] = median(kernels);
  state.counters["overhead_ns"] = median(overheads);
}

bool register_all() {
  for (const Chain& chain : kChains) {
    benchmark::RegisterBenchmark((std::string("instruction/") + chain.name).c_str(),
                                 [&chain](benchmark::State& state) { instruction(state, chain); })
        ->Iterations(kSampleCount);
  }
  return true;
}

[[maybe_unused]] const bool kRegistered = register_all();

}  // namespace
}  // namespace pliant
