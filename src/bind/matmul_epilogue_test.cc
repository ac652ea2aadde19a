#include "bind/matmul_epilogue.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "bind/operator.h"
#include "support/backwards_for.h"
#include "support/cpu_levels.h"
#include "support/one_instruction.h"
#include "threads/thread_pool.h"

// A product with an epilogue gives the bits of the product and then the group.

namespace pliant::bind {
namespace {

using namespace ::pliant::testing;
using Op = isa::Opcode;

/// dst + bias, GELU, + residual.
ElementwiseGroup dense_layer(CpuLevel level) {
  OneInstruction add(Op::kElementwiseAdd);
  OneInstruction gelu(Op::kElementwiseGelu);
  const ElementwiseGroup::Member members[] = {
      {&add.instruction(), {0, 1}}, {&gelu.instruction(), {3}}, {&add.instruction(), {4, 2}}};
  const DType types[] = {DType::kF32, DType::kF32, DType::kF32};
  const int result[] = {2};
  return *ElementwiseGroup::make(members, types, result, level);
}

struct Outcome {
  StoredTensor result;
  bool taken = false;
};

struct Setting {
  CpuLevel level = detected_cpu_level();
  ParallelFor* parallel = nullptr;
  bool constant_rhs = false;
  bool in_place = true;
};

/// `result` is null for a product alone.
class Product {
 public:
  Product(StoredTensor lhs, StoredTensor rhs, Shape shape)
      : lhs_(std::move(lhs)), rhs_(std::move(rhs)), shape_(std::move(shape)) {}

  /// With the group as an epilogue if that is taken, else (or if `separate`) after the product.
  Outcome run(const ElementwiseGroup& group, const std::vector<StoredTensor>& others,
              const Setting& setting, bool separate) const {
    PackedConstants packed;
    BindContext context;
    BindContextFiller filler(context);
    OneInstruction instruction(Op::kMatMul);
    filler.begin(instruction.instruction(), setting.level, setting.parallel->worker_count(),
                 &packed);
    filler.add_output(isa::MatMul::dst, DType::kF32, shape_, true);
    filler.add_input(isa::MatMul::lhs, lhs_.view, false);
    filler.add_input(isa::MatMul::rhs, rhs_.view, setting.constant_rhs);
    kMatMul.layout(context);
    std::vector<std::byte> scratch(filler.scratch_bytes() + 64);
    const auto address = reinterpret_cast<std::uintptr_t>(scratch.data());
    const kernels::KernelContext kernel_context{
        *setting.parallel, scratch.data() + (64 - address % 64) % 64, setting.level};

    StoredTensor product = new_tensor(DType::kF32, shape_);
    Outcome outcome;
    outcome.result = setting.in_place ? product : new_tensor(DType::kF32, shape_);
    filler.outputs()[0].view = product.view;
    std::vector<TensorView> operands = {product.view};
    for (const StoredTensor& other : others) {
      operands.push_back(other.view);
    }
    const TensorView results[] = {outcome.result.view};
    const EpilogueRequest request{&group, operands, results};
    if (!separate) {
      filler.request_epilogue(request);
    }
    kMatMul.bind(context);
    outcome.taken = filler.epilogue_taken();
    context.call(kernel_context);
    if (!outcome.taken) {
      kernels::KernelCall call;
      group.bind(call, operands, results);
      call(kernel_context);
    }
    return outcome;
  }

 private:
  StoredTensor lhs_;
  StoredTensor rhs_;
  Shape shape_;
};

void expect_same_bits(const StoredTensor& actual, const StoredTensor& expected) {
  const std::vector<float> a = values_of<float>(actual.view);
  const std::vector<float> b = values_of<float>(expected.view);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(0, std::memcmp(&a[i], &b[i], sizeof(float))) << "element " << i;
  }
}

struct Size {
  std::int64_t m, k, n;
};
// Around tiles (4, 6), few rows (32), panels (8, 16, 64), pieces (1024 columns), blocks of k.
const Size kSizes[] = {{1, 5, 16},     {1, 300, 300},  {4, 64, 63},   {5, 64, 64},   {6, 1, 65},
                       {7, 513, 127},  {18, 70, 130},  {19, 257, 31}, {32, 300, 16}, {33, 300, 257},
                       {48, 1030, 80}, {300, 40, 520}, {40, 0, 40},   {0, 4, 40},    {97, 800, 200},
                       {10, 30, 2100}, {40, 20, 2061}, {2, 9, 5000}};

TEST(MatMulEpilogueTest, GivesTheBitsOfTheProductAndThenTheGroup) {
  SerialFor serial;
  const auto two = threads::parallel_for_on_pool(2);
  const auto five = threads::parallel_for_on_pool(5);
  BackwardsFor backwards;
  for (const CpuLevel level : cpu_levels()) {
    const ElementwiseGroup group = dense_layer(level);
    for (const auto& [m, k, n] : kSizes) {
      const Product product(random_tensor({m, k}, 1), random_tensor({k, n}, 2), {m, n});
      const std::vector<StoredTensor> others = {random_tensor({n}, 3), random_tensor({m, n}, 4)};
      const Outcome expected = product.run(group, others, {level, &serial}, true);
      ASSERT_FALSE(expected.taken);
      for (ParallelFor* parallel : {static_cast<ParallelFor*>(&serial), two.get(), five.get(),
                                    static_cast<ParallelFor*>(&backwards)}) {
        for (const bool constant_rhs : {false, true}) {
          for (const bool in_place : {false, true}) {
            SCOPED_TRACE(std::string(name(level)) + " " + std::to_string(m) + "x" +
                         std::to_string(k) + "x" + std::to_string(n) + ", workers " +
                         std::to_string(parallel->worker_count()));
            const Outcome outcome =
                product.run(group, others, {level, parallel, constant_rhs, in_place}, false);
            EXPECT_EQ(outcome.taken, m > 0);
            expect_same_bits(outcome.result, expected.result);
          }
        }
      }
    }
  }
}

struct OperandCase {
  std::string name;
  Shape lhs, rhs, dst, bias, residual;
  bool taken = true;
};

const OperandCase kOperandCases[] = {
    {"batch becomes rows", {2, 3, 5, 40}, {40, 70}, {2, 3, 5, 70}, {70}, {2, 3, 5, 70}},
    {"a residual of one matrix for all", {3, 5, 40}, {40, 70}, {3, 5, 70}, {70}, {5, 70}, false},
    {"a column", {2, 5, 40}, {40, 70}, {2, 5, 70}, {2, 5, 1}, {2, 5, 70}},
    {"a column of one matrix", {2, 5, 40}, {40, 70}, {2, 5, 70}, {5, 1}, {1}, false},
    {"numbers", {2, 5, 40}, {40, 70}, {2, 5, 70}, {}, {1, 1, 1, 1}},
    {"batches", {4, 5, 40}, {4, 40, 70}, {4, 5, 70}, {4, 1, 70}, {4, 5, 70}},
    {"batches of two axes",
     {2, 3, 5, 40},
     {2, 3, 40, 70},
     {2, 3, 5, 70},
     {2, 3, 1, 70},
     {2, 3, 5, 70}},
    {"batches with one residual", {4, 5, 40}, {4, 40, 70}, {4, 5, 70}, {70}, {5, 70}},
    {"batches that do not merge",
     {2, 1, 5, 40},
     {1, 3, 40, 70},
     {2, 3, 5, 70},
     {2, 1, 5, 1},
     {3, 1, 70}},
    {"a vector times a matrix", {40}, {40, 70}, {70}, {70}, {1}},
    {"a vector times matrices", {40}, {3, 40, 70}, {3, 70}, {70}, {3, 70}},
    {"a matrix times a vector", {5, 40}, {40}, {5}, {5}, {}, false},
    {"single rows", {64, 1, 40}, {40, 70}, {64, 1, 70}, {70}, {64, 1, 70}},
    {"narrow", {50, 40}, {40, 8}, {50, 8}, {8}, {50, 8}, false},
};

TEST(MatMulEpilogueTest, TakesOperandsThatFollowTheProduct) {
  SerialFor serial;
  BackwardsFor backwards;
  const ElementwiseGroup group = dense_layer(detected_cpu_level());
  for (const OperandCase& test : kOperandCases) {
    SCOPED_TRACE(test.name);
    const Product product(random_tensor(test.lhs, 1), random_tensor(test.rhs, 2), test.dst);
    const std::vector<StoredTensor> others = {random_tensor(test.bias, 3),
                                              random_tensor(test.residual, 4)};
    Setting setting{.parallel = &serial};
    const Outcome expected = product.run(group, others, setting, true);
    for (const bool constant_rhs : {false, true}) {
      setting = {.parallel = &backwards, .constant_rhs = constant_rhs};
      const Outcome outcome = product.run(group, others, setting, false);
      EXPECT_EQ(outcome.taken, test.taken);
      expect_same_bits(outcome.result, expected.result);
    }
  }
}

TEST(MatMulEpilogueTest, LeavesATransposedOperandAlone) {
  SerialFor serial;
  const ElementwiseGroup group = dense_layer(detected_cpu_level());
  const Product product(random_tensor({50, 40}, 1), random_tensor({40, 60}, 2), {50, 60});
  const int order[] = {1, 0};
  const std::vector<StoredTensor> others = {random_tensor({60}, 3),
                                            with_memory_order(random_tensor({50, 60}, 4), order)};
  const Setting setting{.parallel = &serial};
  const Outcome outcome = product.run(group, others, setting, false);
  EXPECT_FALSE(outcome.taken);
  expect_same_bits(outcome.result, product.run(group, others, setting, true).result);
}

TEST(MatMulEpilogueTest, StoresResultsOfOtherTypes) {
  SerialFor serial;
  const CpuLevel level = detected_cpu_level();
  OneInstruction relu(Op::kElementwiseRelu);
  OneInstruction cast(Op::kCast);
  cast.set("to", isa::type(DType::kF16));
  const ElementwiseGroup::Member members[] = {{&relu.instruction(), {0}},
                                              {&cast.instruction(), {1}}};
  const DType type = DType::kF32;
  const int results[] = {0, 1};
  const ElementwiseGroup group = *ElementwiseGroup::make(members, {&type, 1}, results, level);

  const StoredTensor lhs = random_tensor({70, 90}, 1);
  const StoredTensor rhs = random_tensor({90, 150}, 2);
  const Shape shape = {70, 150};
  BindContext context;
  BindContextFiller filler(context);
  OneInstruction instruction(Op::kMatMul);
  filler.begin(instruction.instruction(), level, 1, nullptr);
  filler.add_output(isa::MatMul::dst, DType::kF32, shape, true);
  filler.add_input(isa::MatMul::lhs, lhs.view, false);
  filler.add_input(isa::MatMul::rhs, rhs.view, false);
  kMatMul.layout(context);
  std::vector<std::byte> scratch(filler.scratch_bytes() + 64);
  const auto address = reinterpret_cast<std::uintptr_t>(scratch.data());
  std::byte* const aligned = scratch.data() + (64 - address % 64) % 64;
  const StoredTensor product = new_tensor(DType::kF32, shape);
  const StoredTensor small = new_tensor(DType::kF16, shape);
  filler.outputs()[0].view = product.view;
  const TensorView stored[] = {product.view, small.view};
  const EpilogueRequest request{&group, {stored, 1}, stored};
  filler.request_epilogue(request);
  kMatMul.bind(context);
  ASSERT_TRUE(filler.epilogue_taken());
  context.call({serial, aligned, level});

  OneInstruction alone(Op::kMatMul);
  alone.tensor("lhs", lhs).tensor("rhs", rhs);
  relu.tensor("x", (*alone())[0]);
  const StoredTensor positive = (*relu())[0];
  cast.tensor("x", positive);
  const StoredTensor rounded = (*cast())[0];
  expect_same_bits(product, positive);
  const auto actual = values_of<Half>(small.view);
  const auto expected = values_of<Half>(rounded.view);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(actual[i].bits, expected[i].bits) << i;
  }
}

}  // namespace
}  // namespace pliant::bind
