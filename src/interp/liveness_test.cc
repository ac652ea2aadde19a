#include "interp/liveness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "program/builder.h"

namespace pliant::interp {
namespace {

using isa::Opcode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

int number(const isa::Operand& operand) {
  return static_cast<int>(operand.number);
}

/// A program with input x and output y, to which a test adds instructions.
class ReleasesTest : public ::testing::Test {
 protected:
  ReleasesTest() : builder_("test") {
    InputDeclaration input;
    input.name = "x";
    input_ = isa::input(builder_.add_input(std::move(input)));
    output_ = isa::output(builder_.add_output("y"));
  }
  isa::Operand load() {
    const isa::Operand x = builder_.new_tensor();
    builder_.emit(Opcode::kLoadTensor, {x, input_});
    return x;
  }
  isa::Operand negate(const isa::Operand& x) {
    const isa::Operand y = builder_.new_tensor();
    builder_.emit(Opcode::kElementwiseNegate, {y, x});
    return y;
  }
  void store(const isa::Operand& x) { builder_.emit(Opcode::kStoreTensor, {output_, x}); }

  Builder builder_;
  isa::Operand input_;
  isa::Operand output_;
};

TEST_F(ReleasesTest, ARegisterIsReleasedAfterItsLastUse) {
  const auto a = load();
  const auto b = negate(a);
  const auto c = negate(b);
  store(c);
  const auto releases = find_releases(builder_.program());
  EXPECT_THAT(releases[0].after, IsEmpty());
  EXPECT_THAT(releases[1].after, ElementsAre(number(a)));
  EXPECT_THAT(releases[2].after, ElementsAre(number(b)));
  EXPECT_THAT(releases[3].after, ElementsAre(number(c)));
}

TEST_F(ReleasesTest, AResultThatNobodyReadsIsReleasedAtOnce) {
  const auto a = load();
  const auto unused = negate(a);
  store(a);
  const auto releases = find_releases(builder_.program());
  EXPECT_THAT(releases[1].after, ElementsAre(number(unused)));
  EXPECT_THAT(releases[2].after, ElementsAre(number(a)));
}

TEST_F(ReleasesTest, ARegisterThatIsReadAndWrittenStays) {
  const auto a = load();
  builder_.emit(Opcode::kElementwiseNegate, {a, a});
  store(a);
  const auto releases = find_releases(builder_.program());
  EXPECT_THAT(releases[1].after, IsEmpty());
}

TEST_F(ReleasesTest, AnArmReleasesWhatTheOtherArmWouldRead) {
  const auto a = load();
  const auto b = negate(a);
  const auto branch = builder_.emit(
      Opcode::kBranchOnShape,
      {isa::number(1), isa::choice(isa::Comparison::kEqual), isa::number(2), isa::label(0)});
  store(a);
  builder_.emit(Opcode::kHalt, {});
  builder_.set_label(branch, isa::BranchOnShape::target, builder_.next());
  const auto other = static_cast<std::size_t>(builder_.next());
  store(b);
  const auto releases = find_releases(builder_.program());
  EXPECT_THAT(releases[branch].after, IsEmpty());
  EXPECT_THAT(releases[branch + 1].before, ElementsAre(number(b)));
  EXPECT_THAT(releases[other].before, ElementsAre(number(a)));
}

TEST_F(ReleasesTest, ALoopKeepsWhatItsNextIterationReads) {
  const auto a = load();
  const auto begin =
      builder_.emit(Opcode::kLoopBegin, {builder_.new_size(), isa::number(3), isa::label(0)});
  const auto b = negate(a);
  const auto body = static_cast<std::size_t>(builder_.next()) - 1;
  builder_.emit(Opcode::kLoopEnd, {isa::label(static_cast<std::int64_t>(begin))});
  builder_.set_label(begin, isa::LoopBegin::end, builder_.next());
  const auto after = static_cast<std::size_t>(builder_.next());
  store(builder_.new_tensor());
  const auto releases = find_releases(builder_.program());
  EXPECT_THAT(releases[body].after, ElementsAre(number(b)));
  EXPECT_THAT(releases[after].before, ElementsAre(number(a)));
}

}  // namespace
}  // namespace pliant::interp
