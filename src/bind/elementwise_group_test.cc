#include "bind/elementwise_group.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/cpu_levels.h"
#include "support/one_instruction.h"

// A group of instructions gives the bits of its members one after the other.

namespace pliant::bind {
namespace {

using namespace ::pliant::testing;

StoredTensor cast(const StoredTensor& x, DType to) {
  OneInstruction run(isa::Opcode::kCast);
  run.tensor("x", x).set("to", isa::type(to));
  return std::move((*run())[0]);
}

/// Instructions over operands and earlier members; runs each at once, so that the group has
/// something to be compared with.
class Script {
 public:
  Script(CpuLevel level, std::vector<StoredTensor> operands)
      : level_(level), operand_count_(operands.size()), values_(std::move(operands)) {}

  struct Use {
    const char* field;
    int value;
  };
  struct Attribute {
    const char* field;
    isa::Operand value;
  };

  /// The number of the new value.
  int add(isa::Opcode opcode, const std::vector<Use>& uses,
          const std::vector<Attribute>& attributes = {}) {
    OneInstruction run(opcode);
    run.at_level(level_);
    InlineVector<int, kernels::kMaxElementwiseInputs> sources;
    for (const Use& use : uses) {
      run.tensor(use.field, values_[static_cast<std::size_t>(use.value)]);
      sources.push_back(use.value);
    }
    for (const Attribute& attribute : attributes) {
      run.set(attribute.field, attribute.value);
    }
    auto results = run();
    PLIANT_CHECK(results.has_value());
    values_.push_back((*results)[0]);
    instructions_.push_back(run.instruction());
    sources_.push_back(sources);
    return static_cast<int>(values_.size()) - 1;
  }

  /// Runs the group of all instructions and compares these of its values, by number.
  void check(const std::vector<int>& kept) const {
    std::vector<ElementwiseGroup::Member> members;
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      members.push_back({&instructions_[i], sources_[i]});
    }
    std::vector<DType> types;
    std::vector<TensorView> operands;
    for (std::size_t i = 0; i < operand_count_; ++i) {
      types.push_back(values_[i].view.dtype);
      operands.push_back(values_[i].view);
    }
    std::vector<int> results;
    for (const int value : kept) {
      results.push_back(value - static_cast<int>(operand_count_));
    }
    std::optional<ElementwiseGroup> group = ElementwiseGroup::make(members, types, results, level_);
    ASSERT_TRUE(group.has_value());
    EXPECT_EQ(group->operand_count(), static_cast<int>(operand_count_));

    const Shape& shape = values_[static_cast<std::size_t>(kept[0])].view.shape;
    const Strides strides = ElementwiseGroup::strides(operands, shape);
    std::vector<StoredTensor> stored;
    std::vector<TensorView> views;
    for (std::size_t r = 0; r < kept.size(); ++r) {
      stored.push_back(new_tensor(group->result_type(static_cast<int>(r)), shape));
      stored.back().view.strides = strides;
      views.push_back(stored.back().view);
    }
    kernels::KernelCall call;
    const ElementwiseGroup moved = *std::move(group);
    moved.bind(call, operands, views);
    SerialFor serial;
    call({serial, nullptr, level_});
    for (std::size_t r = 0; r < kept.size(); ++r) {
      SCOPED_TRACE("value " + std::to_string(kept[r]));
      const TensorView& expected = values_[static_cast<std::size_t>(kept[r])].view;
      ASSERT_EQ(views[r].dtype, expected.dtype);
      ASSERT_EQ(views[r].shape, expected.shape);
      visit_dtype(expected.dtype, [&]<class T>(T) {
        const std::vector<T> actual_values = values_of<T>(views[r]);
        const std::vector<T> expected_values = values_of<T>(expected);
        for (std::size_t i = 0; i < actual_values.size(); ++i) {
          const T a = actual_values[i];
          const T b = expected_values[i];
          ASSERT_EQ(0, std::memcmp(&a, &b, sizeof(T))) << "element " << i;
        }
      });
    }
  }

 private:
  CpuLevel level_;
  std::size_t operand_count_;
  std::vector<StoredTensor> values_;
  std::vector<isa::Instruction> instructions_;
  std::vector<InlineVector<int, kernels::kMaxElementwiseInputs>> sources_;
};

using Op = isa::Opcode;

TEST(ElementwiseGroupTest, RunsBiasActivationAndResidual) {
  for (const CpuLevel level : cpu_levels()) {
    for (const DType dtype : {DType::kF32, DType::kF16, DType::kBF16, DType::kF64}) {
      for (const Shape& shape : {Shape{2, 7, 65}, Shape{3, 5, 1}, Shape{1, 1, 600}}) {
        Script script(
            level, {cast(random_tensor(shape, 1), dtype), cast(random_tensor({shape[2]}, 2), dtype),
                    cast(random_tensor(shape, 3), dtype)});
        const int sum = script.add(Op::kElementwiseAdd, {{"lhs", 0}, {"rhs", 1}});
        const int active = script.add(Op::kElementwiseGelu, {{"x", sum}},
                                      {{"form", isa::choice(isa::GeluForm::kTanh)}});
        const int result = script.add(Op::kElementwiseAdd, {{"lhs", active}, {"rhs", 2}});
        script.check({result});
        script.check({sum, active, result});
      }
    }
  }
}

TEST(ElementwiseGroupTest, ChoosesFunctionsAsSingleInstructionsDo) {
  for (const CpuLevel level : cpu_levels()) {
    const Shape shape = {4, 50};
    Script script(level, {random_tensor(shape, 1), random_tensor({50}, 2),
                          tensor_of<float>({1, 1, 1}, {0.25f}), tensor_of<float>({}, {-0.5f})});
    const int low = script.add(Op::kElementwiseClip, {{"x", 0}, {"low", 3}});
    const int high = script.add(Op::kElementwiseClip, {{"x", 0}, {"high", 2}});
    const int both = script.add(Op::kElementwiseClip, {{"x", 0}, {"low", 3}, {"high", 2}});
    const int none = script.add(Op::kElementwiseClip, {{"x", low}});
    const int ratio = script.add(Op::kElementwiseModulo, {{"lhs", high}, {"rhs", 1}},
                                 {{"sign", isa::choice(isa::Modulus::kFollowsDividend)}});
    const int whole = script.add(Op::kCast, {{"x", both}}, {{"to", isa::type(DType::kI32)}});
    const int power = script.add(Op::kElementwisePower, {{"lhs", whole}, {"rhs", 1}});
    const int small = script.add(Op::kCast, {{"x", ratio}}, {{"to", isa::type(DType::kF16)}});
    const int leaky =
        script.add(Op::kElementwiseLeakyRelu, {{"x", small}}, {{"alpha", isa::real(0.125)}});
    const int infinite = script.add(Op::kElementwiseIsInf, {{"x", leaky}},
                                    {{"sign", isa::choice(isa::Infinity::kNegative)}});
    const int selected = script.add(Op::kElementwiseSelect,
                                    {{"condition", infinite}, {"lhs", none}, {"rhs", ratio}});
    script.check({both, power, leaky, selected});
    script.check({infinite, none, whole});
  }
}

TEST(ElementwiseGroupTest, FollowsTheMemoryOrderOfItsOperands) {
  const int order[] = {0, 2, 3, 1};
  const Shape shape = {2, 9, 6, 7};
  const StoredTensor x = with_memory_order(random_tensor(shape, 1), order);
  const TensorView views[] = {random_tensor({9, 1, 1}, 2).view, x.view};
  EXPECT_EQ(ElementwiseGroup::strides(views, shape), x.view.strides);

  Script script(detected_cpu_level(), {x, random_tensor({9, 1, 1}, 2), random_tensor(shape, 3)});
  const int product = script.add(Op::kElementwiseMultiply, {{"lhs", 0}, {"rhs", 1}});
  const int relu = script.add(Op::kElementwiseRelu, {{"x", product}});
  const int sum = script.add(Op::kElementwiseAdd, {{"lhs", relu}, {"rhs", 2}});
  script.check({sum});
}

TEST(ElementwiseGroupTest, OfNoElementsHasNoWork) {
  OneInstruction run(Op::kElementwiseNegate);
  const ElementwiseGroup::Member member{&run.instruction(), {0}};
  const DType type = DType::kF32;
  const int result = 0;
  const auto group =
      ElementwiseGroup::make({&member, 1}, {&type, 1}, {&result, 1}, CpuLevel::kPortable);
  ASSERT_TRUE(group.has_value());
  const TensorView empty = contiguous_view(nullptr, DType::kF32, {0, 3});
  kernels::KernelCall call;
  group->bind(call, {&empty, 1}, {&empty, 1});
  EXPECT_FALSE(call.has_work());
}

TEST(ElementwiseGroupTest, DeclinesOtherRowsAndTypesWithoutALoop) {
  const int result = 0;
  const auto is_group = [&](Op opcode, DType type) {
    OneInstruction run(opcode);
    const ElementwiseGroup::Member member{&run.instruction(), {0}};
    return ElementwiseGroup::make({&member, 1}, {&type, 1}, {&result, 1}, CpuLevel::kPortable)
        .has_value();
  };
  EXPECT_TRUE(is_group(Op::kElementwiseErrorFunction, DType::kF16));
  EXPECT_FALSE(is_group(Op::kElementwiseErrorFunction, DType::kI32));
  EXPECT_FALSE(is_group(Op::kSoftmax, DType::kF32));
}

}  // namespace
}  // namespace pliant::bind
