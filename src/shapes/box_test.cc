#include "shapes/box.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shapes/breadth.h"
#include "shapes/bucket.h"

namespace pliant::shapes {
namespace {

const Entry kBatch{.name = "batch", .has_facts = true};
const Entry kSeq{.name = "seq"};
const Entry kStart{.name = "start[0]", .kind = Entry::Kind::kElement};
const Entry kAxis{.name = "axis[0]", .kind = Entry::Kind::kElement, .always_exact = true};

using Values = std::vector<std::int64_t>;

TEST(ExtentBucket, EndsAtMultiplesOfTheWidth) {
  EXPECT_EQ(extent_bucket(0, 16, false), (Interval{0, 16}));
  EXPECT_EQ(extent_bucket(1, 16, false), (Interval{0, 16}));
  EXPECT_EQ(extent_bucket(16, 16, false), (Interval{0, 16}));
  EXPECT_EQ(extent_bucket(17, 16, false), (Interval{17, 32}));
  EXPECT_EQ(extent_bucket(32, 16, false), (Interval{17, 32}));
  EXPECT_EQ(extent_bucket(113, 16, false), (Interval{113, 128}));
  EXPECT_EQ(extent_bucket(128, 16, false), (Interval{113, 128}));
  EXPECT_EQ(extent_bucket(129, 16, false), (Interval{129, 144}));
}

TEST(ExtentBucket, FactsSetZeroAndOneApart) {
  EXPECT_EQ(extent_bucket(0, 16, true), Interval::exactly(0));
  EXPECT_EQ(extent_bucket(1, 16, true), Interval::exactly(1));
  EXPECT_EQ(extent_bucket(2, 16, true), (Interval{2, 16}));
  EXPECT_EQ(extent_bucket(16, 16, true), (Interval{2, 16}));
  EXPECT_EQ(extent_bucket(17, 16, true), (Interval{17, 32}));
}

TEST(ExtentBucket, MayBeOneWide) {
  EXPECT_EQ(extent_bucket(0, 1, true), Interval::exactly(0));
  EXPECT_EQ(extent_bucket(1, 1, true), Interval::exactly(1));
  EXPECT_EQ(extent_bucket(2, 1, true), Interval::exactly(2));
  EXPECT_EQ(extent_bucket(1, 1, false), (Interval{0, 1}));
  EXPECT_EQ(extent_bucket(3, 1, false), Interval::exactly(3));
}

TEST(ExtentBucket, TheLastOneEndsAtTheGreatestNumber) {
  const std::int64_t most = Interval::kNoHigh;  // 7 above a multiple of 8, 1 above one of 6
  EXPECT_EQ(extent_bucket(most, 16, false), (Interval{most - 14, most}));
  EXPECT_EQ(extent_bucket(most, 65'536, false), (Interval{most - 65'534, most}));
  EXPECT_EQ(extent_bucket(most, 6, false), (Interval{most, most}));
  EXPECT_EQ(extent_bucket(most, 1, false), Interval::exactly(most));
}

// Each extent lies in its own bucket, and neighbours are either of one bucket or adjacent.
TEST(ExtentBucket, CutsTheExtentsIntoPieces) {
  for (const std::int64_t width : {1, 2, 3, 16, 17, 1000}) {
    for (const bool has_facts : {false, true}) {
      Interval before = extent_bucket(0, width, has_facts);
      EXPECT_EQ(before.low, 0);
      for (std::int64_t extent = 1; extent < 3000; ++extent) {
        const Interval bucket = extent_bucket(extent, width, has_facts);
        ASSERT_TRUE(bucket.contains(extent)) << extent << " by " << width;
        ASSERT_TRUE(bucket == before || bucket.low == before.high + 1) << extent << " by " << width;
        before = bucket;
      }
    }
  }
}

TEST(BucketedBox, BoundsExtentsAndLeavesElementsFree) {
  const std::vector<Entry> entries = {kBatch, kSeq, kStart, kAxis};
  const Box box = bucketed_box(entries, Values{1, 120, 7, -2}, 16);
  EXPECT_EQ(
      box, (Box{{Interval::exactly(1), {113, 128}, Interval::any_value(), Interval::exactly(-2)}}));
  EXPECT_TRUE(box.contains(Values{1, 113, -1000, -2}));
  EXPECT_FALSE(box.contains(Values{2, 113, 7, -2}));
  EXPECT_FALSE(box.contains(Values{1, 112, 7, -2}));
  EXPECT_FALSE(box.contains(Values{1, 129, 7, -2}));
  EXPECT_FALSE(box.contains(Values{1, 113, 7, -1}));
}

TEST(Box, HoldsOnlySignaturesOfItsLength) {
  const Box box = exact_box(Values{1, 2});
  EXPECT_TRUE(box.contains(Values{1, 2}));
  EXPECT_FALSE(box.contains(Values{1}));
  EXPECT_FALSE(box.contains(Values{1, 2, 3}));
  EXPECT_TRUE(Box().contains(Values{}));
}

TEST(Box, AnySizeHoldsEverythingBesideWhatIsAlwaysExact) {
  const std::vector<Entry> entries = {kSeq, kStart, kAxis};
  const Values least = {0, Interval::kNoLow, 3};
  const Values greatest = {Interval::kNoHigh, Interval::kNoHigh, 3};
  const Box any_size = any_size_box(entries, least);
  EXPECT_TRUE(any_size.contains(least));
  EXPECT_TRUE(any_size.contains(greatest));
  EXPECT_FALSE(any_size.contains(Values{1, 1, 4}));
  EXPECT_FALSE(any_size.contains(Values{-1, 1, 3}));
  EXPECT_TRUE(any_box(entries).contains(Values{1, 1, 4}));
}

TEST(Box, IsExactWhenItHoldsOneSignature) {
  EXPECT_TRUE(exact_box(Values{1, 2}).is_exact());
  EXPECT_TRUE(Box().is_exact());
  EXPECT_FALSE((Box{{{1, 1}, {1, 2}}}).is_exact());
}

TEST(Box, NarrowerBoxesHaveLowerLogSizes) {
  const double exact = exact_box(Values{5, 5}).log_size();
  const double bucket = (Box{{{1, 16}, {5, 5}}}).log_size();
  const double buckets = (Box{{{1, 16}, {1, 16}}}).log_size();
  const double any = any_box(std::vector<Entry>{kSeq, kStart}).log_size();
  EXPECT_EQ(exact, 0);
  EXPECT_DOUBLE_EQ(bucket, 4);
  EXPECT_DOUBLE_EQ(buckets, 8);
  EXPECT_GT(any, 126);
}

TEST(Box, IsPrintedWithTheNamesOfItsEntries) {
  const std::vector<Entry> entries = {kBatch, kSeq, kStart, kAxis};
  EXPECT_EQ((Box{{{1, 1}, {113, 128}, Interval::any_value(), {-2, -2}}}).to_string(entries),
            "batch 1, seq 113..128, start[0] any, axis[0] -2");
  EXPECT_EQ((Box{{{0, Interval::kNoHigh}, {2, Interval::kNoHigh}, {Interval::kNoLow, 0}, {0, 0}}})
                .to_string(entries),
            "batch any, seq 2.., start[0] ..0, axis[0] 0");
  EXPECT_EQ(Box().to_string({}), "");
}

TEST(Box, EqualBoxesHaveEqualHashes) {
  const std::vector<Entry> entries = {kBatch, kSeq};
  const Box a = bucketed_box(entries, Values{4, 120}, 16);
  const Box b = bucketed_box(entries, Values{16, 113}, 16);
  EXPECT_EQ(a, b);
  EXPECT_EQ(BoxHash()(a), BoxHash()(b));
  EXPECT_NE(BoxHash()(a), BoxHash()(exact_box(Values{4, 120})));
}

TEST(Breadth, FollowsFromWhatIsBounded) {
  const std::vector<Entry> entries = {kSeq, kAxis};
  EXPECT_EQ(breadth_of(any_box(entries), entries), Breadth::kAnySize);
  EXPECT_EQ(breadth_of(any_size_box(entries, Values{5, 1}), entries), Breadth::kAnySize);
  EXPECT_EQ(breadth_of(bucketed_box(entries, Values{5, 1}, 16), entries), Breadth::kBucketed);
  EXPECT_EQ(breadth_of(exact_box(Values{5, 1}), entries), Breadth::kExact);
  EXPECT_EQ(breadth_of(Box(), {}), Breadth::kAnySize);
  const std::vector<Entry> only_exact = {kAxis};
  EXPECT_EQ(breadth_of(exact_box(Values{5}), only_exact), Breadth::kAnySize);
}

}  // namespace
}  // namespace pliant::shapes
