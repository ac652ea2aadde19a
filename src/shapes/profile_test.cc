#include "shapes/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

#include "shapes/signature_counter.h"

namespace pliant::shapes {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Values = std::vector<std::int64_t>;

std::vector<Entry> batch_and_seq() {
  return {{.name = "batch", .has_facts = true}, {.name = "seq"}};
}

TEST(SignatureCounter, CountsDistinctSignaturesHeaviestFirst) {
  SignatureCounter counter(batch_and_seq(), 10);
  for (const auto& values : {Values{1, 7}, Values{2, 7}, Values{1, 7}, Values{1, 5}}) {
    counter.record(values);
  }
  const SegmentProfile profile = counter.profile("main");
  EXPECT_EQ(profile.name, "main");
  EXPECT_EQ(profile.entries, profiled_entries(batch_and_seq()));
  EXPECT_THAT(profile.signatures,
              ElementsAre(ProfiledSignature{{1, 7}, 2}, ProfiledSignature{{1, 5}, 1},
                          ProfiledSignature{{2, 7}, 1}));
  EXPECT_EQ(profile.forgotten_weight, 0);
}

TEST(SignatureCounter, KeepsTheHeaviestWhenThereAreTooMany) {
  SignatureCounter counter(batch_and_seq(), 100);
  for (std::int64_t i = 0; i < 10'000; ++i) {
    counter.record(Values{1, i % 3 == 0 ? 7 : 1000 + i});
    ASSERT_LE(counter.size(), 100);
  }
  const SegmentProfile profile = counter.profile("main");
  EXPECT_EQ(profile.signatures[0], (ProfiledSignature{{1, 7}, 3334}));
  std::uint64_t weight = profile.forgotten_weight;
  for (const auto& signature : profile.signatures) {
    weight += signature.weight;
  }
  EXPECT_EQ(weight, 10'000);
}

TEST(SignatureCounter, OfEquallyLightOnesTheNewestStay) {
  SignatureCounter counter(batch_and_seq(), 4);
  for (std::int64_t i = 0; i < 100; ++i) {
    counter.record(Values{1, i});
  }
  EXPECT_THAT(counter.profile("main").signatures,
              ElementsAre(ProfiledSignature{{1, 96}, 1}, ProfiledSignature{{1, 97}, 1},
                          ProfiledSignature{{1, 98}, 1}, ProfiledSignature{{1, 99}, 1}));
}

TEST(SignatureCounter, MayHoldOne) {
  SignatureCounter counter(batch_and_seq(), 1);
  counter.record(Values{1, 1});
  counter.record(Values{1, 2});
  EXPECT_THAT(counter.profile("main").signatures, ElementsAre(ProfiledSignature{{1, 2}, 1}));
}

TEST(SignatureCounter, LeavesOutWhatNoProfileMayHold) {
  SignatureCounter counter(batch_and_seq(), 10);
  counter.record(Values{1, kMaxProfiledExtent});
  counter.record(Values{1, kMaxProfiledExtent + 1});
  const SegmentProfile profile = counter.profile("main");
  EXPECT_THAT(profile.signatures, SizeIs(1));
  EXPECT_EQ(profile.forgotten_weight, 1);
}

TEST(HeaviestBoxes, SumsTheSignaturesOfABox) {
  SegmentProfile profile{.name = "main", .entries = profiled_entries(batch_and_seq())};
  profile.signatures = {{{1, 40}, 10}, {{1, 120}, 6}, {{1, 128}, 7}, {{2, 120}, 1}};
  const auto boxes = heaviest_boxes(profile, batch_and_seq(), 16, 2);
  ASSERT_THAT(boxes, SizeIs(2));
  EXPECT_EQ(boxes[0].box.to_string(batch_and_seq()), "batch 1, seq 113..128");
  EXPECT_EQ(boxes[0].weight, 13);
  EXPECT_THAT(boxes[0].heaviest, ElementsAre(1, 128));
  EXPECT_EQ(boxes[1].box.to_string(batch_and_seq()), "batch 1, seq 33..48");
  EXPECT_THAT(heaviest_boxes(profile, batch_and_seq(), 16, 100), SizeIs(3));
  EXPECT_THAT(heaviest_boxes(profile, batch_and_seq(), 16, 0), IsEmpty());
}

TEST(HeaviestBoxes, WeightsDoNotOverflow) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  SegmentProfile profile{.name = "main", .entries = profiled_entries(batch_and_seq())};
  profile.signatures = {{{1, 1}, kMost}, {{1, 2}, kMost}, {{1, 40}, kMost - 1}};
  const auto boxes = heaviest_boxes(profile, batch_and_seq(), 16, 8);
  ASSERT_THAT(boxes, SizeIs(2));
  EXPECT_EQ(boxes[0].weight, kMost);
  EXPECT_THAT(boxes[0].heaviest, ElementsAre(1, 1));
}

TEST(IsAbout, WantsTheSameNamesAndKindsInTheSameOrder) {
  SegmentProfile profile{.name = "main", .entries = profiled_entries(batch_and_seq())};
  EXPECT_TRUE(is_about(profile, batch_and_seq()));
  auto entries = batch_and_seq();
  entries[1].name = "width";
  EXPECT_FALSE(is_about(profile, entries));
  entries = batch_and_seq();
  entries[1].kind = Entry::Kind::kElement;
  EXPECT_FALSE(is_about(profile, entries));
  EXPECT_FALSE(is_about(profile, std::vector<Entry>{{.name = "batch"}}));
}

TEST(ProfileName, KeepsTextAndWritesOtherBytesOut) {
  EXPECT_EQ(profile_name("seq"), "seq");
  EXPECT_EQ(profile_name("größe ∞ 𝄞"), "größe ∞ 𝄞");
  EXPECT_EQ(profile_name("a\x1b[31m\n"), "a\\x1b[31m\\x0a");
  EXPECT_EQ(profile_name("a\\x1b"), "a\\x5cx1b");
  EXPECT_EQ(profile_name("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(profile_name("\xc0\xaf"), "\\xc0\\xaf");                    // overlong
  EXPECT_EQ(profile_name("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");           // overlong
  EXPECT_EQ(profile_name("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(profile_name("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  EXPECT_THAT(profile_name(std::string(10'000, 'x')), SizeIs(kMaxProfiledNameBytes));
}

}  // namespace
}  // namespace pliant::shapes
