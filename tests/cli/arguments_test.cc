#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cli/assignments.h"
#include "cli/element_value.h"
#include "cli/error_report.h"
#include "cli/summary.h"

namespace pliant::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(Assignment, IsSplitAtTheLastEqualsSign) {
  const auto assignment = parse_assignment("layer=1/x:0=folder/x.npy");
  ASSERT_TRUE(assignment);
  EXPECT_EQ(assignment->name, "layer=1/x:0");
  EXPECT_EQ(assignment->value, "folder/x.npy");
  for (const char* const text : {"", "x", "=x", "x="}) {
    EXPECT_FALSE(parse_assignment(text)) << text;
  }
}

TEST(Sizes, AddUp) {
  const auto sizes = parse_sizes({"seq=128,batch=4", "x.0=0"});
  ASSERT_TRUE(sizes);
  EXPECT_THAT(*sizes, ElementsAre(Pair("batch", 4), Pair("seq", 128), Pair("x.0", 0)));
  EXPECT_TRUE(parse_sizes({""})->empty());
}

TEST(Sizes, SayWhatIsWrong) {
  EXPECT_THAT(parse_sizes({"seq=-1"}).error().message, HasSubstr("'seq=-1'"));
  EXPECT_THAT(parse_sizes({"seq=1,seq=2"}).error().message, HasSubstr("twice: 'seq'"));
  EXPECT_FALSE(parse_sizes({"seq"}));
  EXPECT_FALSE(parse_sizes({"seq=1x"}));
  EXPECT_FALSE(parse_sizes({"seq=99999999999999999999"}));
}

TEST(Sweep, ListsExtents) {
  const auto sweep = parse_sweep("seq=16,32,64");
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->symbol, "seq");
  EXPECT_THAT(sweep->values, ElementsAre(16, 32, 64));
  EXPECT_FALSE(parse_sweep("seq"));
  EXPECT_FALSE(parse_sweep("seq=16,,32"));
}

TEST(Ranges, HaveTwoBounds) {
  const auto ranges = parse_ranges({"ids=0..30000", "t=-1.5..2"});
  ASSERT_TRUE(ranges);
  EXPECT_EQ(ranges->at("ids").high, 30000);
  EXPECT_EQ(ranges->at("t").low, -1.5);
  for (const char* const text :
       {"ids", "ids=3", "ids=3..", "ids=3..1", "ids=nan..1", "ids=0..inf"}) {
    EXPECT_FALSE(parse_ranges({text})) << text;
  }
}

TEST(ElementValue, KeepsWhatFits) {
  for (int i = 0; i < kDTypeCount; ++i) {
    auto tensor = Tensor::allocate(static_cast<DType>(i), std::vector<std::int64_t>{2});
    ASSERT_TRUE(tensor);
    set_element(*tensor, 0, 0);
    set_element(*tensor, 1, 1);
    EXPECT_EQ(element_value(*tensor, 0), 0) << i;
    EXPECT_EQ(element_value(*tensor, 1), 1) << i;
  }
  for (const DType dtype : {DType::kF32, DType::kF16, DType::kBF16, DType::kF64}) {
    auto tensor = Tensor::allocate(dtype, std::vector<std::int64_t>{1});
    ASSERT_TRUE(tensor);
    for (const double value : {-0.75, 0.0078125, 1.5, -96.0, 0x1p-20}) {
      set_element(*tensor, 0, value);
      EXPECT_EQ(element_value(*tensor, 0), value) << static_cast<int>(dtype);
    }
  }
}

TEST(Summary, ListsFewValuesAndDescribesMany) {
  const std::vector<float> values = {1, 2.5, -3};
  auto few =
      Tensor::copy_of(DType::kF32, std::vector<std::int64_t>{3}, std::span<const float>(values));
  EXPECT_EQ(summarise(*few), "1 2.5 -3");
  EXPECT_EQ(describe(*few), "f32[3]");
  const std::vector<float> more = {1, 2, 3, 4, 5, 6, 7, std::nanf(""), INFINITY};
  auto many =
      Tensor::copy_of(DType::kF32, std::vector<std::int64_t>{9}, std::span<const float>(more));
  EXPECT_EQ(summarise(*many), "1 .. 7, mean 4, 1 NaN, 1 infinite");
  EXPECT_EQ(summarise(Tensor()), "no elements");
}

TEST(TextPlace, IsTakenApart) {
  const TextPlace place = text_place("a:b/model.pasm:12:8");
  EXPECT_EQ(place.path, "a:b/model.pasm");
  EXPECT_EQ(place.line, 12);
  EXPECT_EQ(place.column, 8);
  EXPECT_EQ(text_place("node 'conv1' (Conv)").line, 0);
  EXPECT_EQ(text_place("model.pasm:12").line, 0);
  EXPECT_EQ(text_place("").line, 0);
}

}  // namespace
}  // namespace pliant::cli
