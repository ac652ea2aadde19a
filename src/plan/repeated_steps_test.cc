#include "plan/repeated_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "plan/compile.h"
#include "plan/lay_out.h"
#include "plan/run.h"
#include "program/builder.h"
#include "threads/parallel_for.h"
#include "verify/verify.h"

namespace pliant::plan {
namespace {

using isa::Opcode;
using isa::Operand;

/// What a program does with its inputs x and z, which are matrices of one shape; returns y.
using Body = std::function<Operand(Builder&, Operand x, Operand z)>;

InputDeclaration matrix(Builder& builder, const char* name) {
  return {name,
          DType::kF32,
          {{InputExtent::Kind::kSymbol, builder.symbol("n")},
           {InputExtent::Kind::kSymbol, builder.symbol("n")}},
          true,
          std::nullopt};
}

VerifiedProgram program_of(const Body& body) {
  Builder builder("periods");
  const int x = builder.add_input(matrix(builder, "x"));
  const int z = builder.add_input(matrix(builder, "z"));
  const int y = builder.add_output("y");
  const Operand loaded_x = builder.new_tensor();
  const Operand loaded_z = builder.new_tensor();
  builder.emit(Opcode::kLoadTensor, {loaded_x, isa::input(x)});
  builder.emit(Opcode::kLoadTensor, {loaded_z, isa::input(z)});
  builder.emit(Opcode::kStoreTensor, {isa::output(y), body(builder, loaded_x, loaded_z)});
  auto verified = verify::verify(builder.take());
  EXPECT_TRUE(verified) << verified.error().to_string();
  return std::move(*verified);
}

Operand emit(Builder& builder, Opcode opcode, std::vector<Operand> operands,
             std::vector<Builder::Field> named = {}) {
  operands.insert(operands.begin(), builder.new_tensor());
  const Operand result = operands.front();
  builder.emit(opcode, std::move(operands), std::move(named));
  return result;
}
Operand transposed(Builder& builder, Operand x) {
  return emit(builder, Opcode::kTranspose, {x});
}
Operand product(Builder& builder, Operand a, Operand b) {
  return emit(builder, Opcode::kMatMul, {a, b});
}
Operand softmax(Builder& builder, Operand x) {
  return emit(builder, Opcode::kSoftmax, {x}, {{"axis", isa::number(1)}});
}
Operand beside(Builder& builder, Operand a, Operand b) {
  return emit(builder, Opcode::kConcat, {isa::list({a, b})}, {{"axis", isa::number(1)}});
}
Operand row_sums(Builder& builder, Operand x) {
  return emit(builder, Opcode::kReduceSum, {x},
              {{"axis", isa::numbers(std::vector<int>{1})}, {"keepdims", isa::flag(true)}});
}

class RepeatedStepsTest : public ::testing::Test {
 protected:
  /// Lays a program out at several sizes, with and without taking over what earlier steps had. Returns
  /// the repetitions that were found.
  std::vector<Repetition> expect_same_layout(const Body& body) {
    const VerifiedProgram program = program_of(body);
    const RegisterUses uses(*program);
    const CompiledSegment segment =
        compile_segment({*program, uses, 0, program->instructions.size()}, declared_ranks(*program),
                        {}, {detected_cpu_level(), false});
    DeclineReason reason = DeclineReason::kNone;
    const std::shared_ptr<const Plan> plan = compile_any_size(segment, reason);
    if (plan == nullptr) {
      ADD_FAILURE() << "no plan";
      return {};
    }
    const auto plain = std::const_pointer_cast<Plan>(compile_any_size(segment, reason));
    plain->repetitions.clear();
    for (LikeStep& step : plain->like_steps) {
      step.like = -1;
    }
    for (const std::int64_t n : {5, 1, 40, 0, 6}) {
      expect_same_layout(*plan, *plain, n);
    }
    return plan->repetitions;
  }

 private:
  void expect_same_layout(const Plan& plan, const Plan& plain, std::int64_t n) {
    SCOPED_TRACE(n);
    const std::int64_t signature[] = {n};
    const std::vector<TensorView> live_ins(plan.live_ins.size(),
                                           contiguous_view(nullptr, DType::kF32, {n, n}));
    BoundRun expected;
    BoundRun actual;
    Scratchpad plain_scratchpad;
    ASSERT_EQ(lay_out(plain, signature, live_ins, environment_, plain_scratchpad, expected),
              DeclineReason::kNone);
    ASSERT_EQ(lay_out(plan, signature, live_ins, environment_, scratchpad_, actual),
              DeclineReason::kNone);
    EXPECT_EQ(actual.arena_bytes, expected.arena_bytes);
    ASSERT_EQ(actual.blocks.size(), expected.blocks.size());
    for (std::size_t i = 0; i < actual.blocks.size(); ++i) {
      // Calls without work touch nothing, and blocks without bytes may be needed at any time.
      if (expected.blocks[i].bytes > 0) {
        EXPECT_EQ(actual.blocks[i], expected.blocks[i]) << "block " << i;
      }
    }
    EXPECT_EQ(actual.buffers, expected.buffers);
    EXPECT_EQ(actual.call_information, expected.call_information);
    EXPECT_EQ(scratchpad_.addresses, plain_scratchpad.addresses);
    EXPECT_EQ(results(plan, n), results(plain, n));
  }

  /// The bits of the output's elements.
  std::vector<std::uint32_t> results(const Plan& plan, std::int64_t n) {
    const std::int64_t signature[] = {n};
    std::vector<StoredTensor> inputs;
    for (std::size_t i = 0; i < plan.live_ins.size(); ++i) {
      inputs.push_back(make_constant(DType::kF32, {n, n}));
      float value = static_cast<float>(i);
      std::generate_n(inputs.back().view.as<float>(), n * n,
                      [&] { return value = value > 1 ? -1 : value + 0.37F; });
    }
    Workspace workspace;
    RunResults outputs;
    EXPECT_EQ(run(plan, {signature, inputs, 0}, environment_, workspace, outputs),
              DeclineReason::kNone);
    const TensorView& view = outputs.tensors[0].view;
    return {view.as<std::uint32_t>(), view.as<std::uint32_t>() + view.element_count()};
  }

  memory::Pool pool_{memory::PoolOptions{}};
  SerialFor parallel_;
  bind::PackedConstants packed_;
  Environment environment_{pool_, parallel_, detected_cpu_level(), &packed_};
  Scratchpad scratchpad_;  // used again from size to size, as in a session
};

TEST_F(RepeatedStepsTest, AChain) {
  const auto found = expect_same_layout([](Builder& builder, Operand x, Operand) {
    for (int i = 0; i < 10; ++i) {
      x = product(builder, row_sums(builder, x), transposed(builder, row_sums(builder, x)));
    }
    return x;
  });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_GE(found[0].times, 8);
}

TEST_F(RepeatedStepsTest, AViewReachesIntoTheNextPeriod) {
  const auto found = expect_same_layout([](Builder& builder, Operand x, Operand) {
    Operand turned = x;
    for (int i = 0; i < 10; ++i) {
      x = product(builder, softmax(builder, x), turned);
      turned = transposed(builder, x);
    }
    return product(builder, x, turned);
  });
  EXPECT_EQ(found.size(), 1U);
}

TEST_F(RepeatedStepsTest, OneTensorIsReadByAllPeriods) {
  const auto found = expect_same_layout([](Builder& builder, Operand x, Operand z) {
    const Operand weights = softmax(builder, z);
    const Operand turned = transposed(builder, weights);
    for (int i = 0; i < 10; ++i) {
      x = product(builder, product(builder, x, weights), turned);
    }
    return x;
  });
  EXPECT_EQ(found.size(), 1U);
}

TEST_F(RepeatedStepsTest, PeriodsWorkInPlace) {
  const auto found = expect_same_layout([](Builder& builder, Operand x, Operand z) {
    x = product(builder, x, z);
    for (int i = 0; i < 10; ++i) {
      x = softmax(builder, x);  // of the same tensor's columns, then of its rows
      x = emit(builder, Opcode::kSoftmax, {x}, {{"axis", isa::number(0)}});
    }
    return x;
  });
  EXPECT_EQ(found.size(), 1U);
}

TEST_F(RepeatedStepsTest, StepsOfAPeriodAreAlike) {
  const auto found = expect_same_layout([](Builder& builder, Operand x, Operand z) {
    for (int i = 0; i < 12; ++i) {
      const Operand a = product(builder, x, z);
      const Operand b = product(builder, z, a);
      x = softmax(builder, product(builder, a, b));
    }
    return x;
  });
  EXPECT_EQ(found.size(), 1U);
}

TEST_F(RepeatedStepsTest, ResultsOfPeriodsAreReadAfterThem) {
  const auto found = expect_same_layout([](Builder& builder, Operand x, Operand z) {
    std::vector<Operand> results;
    for (int i = 0; i < 10; ++i) {
      x = product(builder, softmax(builder, x), z);
      results.push_back(x);
    }
    Operand all = softmax(builder, results[1]);
    for (const int i : {3, 4, 8, 9}) {
      all = beside(builder, all, transposed(builder, results[static_cast<std::size_t>(i)]));
    }
    return all;
  });
  EXPECT_EQ(found.size(), 1U);
}

TEST_F(RepeatedStepsTest, APeriodReadsWhatTwoBeforeMade) {
  expect_same_layout([](Builder& builder, Operand x, Operand z) {
    Operand before = z;
    Operand before_that = x;
    for (int i = 0; i < 12; ++i) {
      const Operand next = product(builder, softmax(builder, before), before_that);
      before_that = before;
      before = next;
    }
    return before;
  });
}

TEST_F(RepeatedStepsTest, TwoRepetitionsAndAHalfPeriod) {
  const auto found = expect_same_layout([](Builder& builder, Operand x, Operand z) {
    for (int i = 0; i < 6; ++i) {
      x = product(builder, softmax(builder, x), z);
    }
    x = softmax(builder, x);
    for (int i = 0; i < 6; ++i) {
      x = product(builder,
                  product(builder, row_sums(builder, x), transposed(builder, row_sums(builder, z))),
                  x);
    }
    return row_sums(builder, x);
  });
  EXPECT_GE(found.size(), 1U);
}

}  // namespace
}  // namespace pliant::plan
