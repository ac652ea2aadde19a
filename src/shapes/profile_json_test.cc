#include "shapes/profile_json.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace pliant::shapes {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

Profile example() {
  Profile profile;
  profile.program = "0123abcd";
  profile.segments.push_back(
      {.name = "main",
       .entries = {{"batch", Entry::Kind::kExtent}, {"start[0]", Entry::Kind::kElement}},
       .signatures = {{{1, -5}, 41},
                      {{0, std::numeric_limits<std::int64_t>::min()},
                       std::numeric_limits<std::uint64_t>::max()},
                      {{kMaxProfiledExtent, std::numeric_limits<std::int64_t>::max()}, 1}},
       .forgotten_weight = 3});
  profile.segments.push_back(
      {.name = "after NON_ZERO \"3\"", .entries = {}, .signatures = {{{}, 7}}});
  profile.value_ranges = {{"ids", 0, 30'521}, {"größe \\xff", -1, -1}};
  return profile;
}

/// The text of a profile with one segment over `seq` and this list of signatures.
std::string with_signatures(const std::string& signatures) {
  return R"({"format": "pliant-profile", "version": 1, "program": "", "segments": [
    {"name": "main", "entries": [{"name": "seq", "kind": "extent"}], "signatures": )" +
         signatures + "}]}";
}

/// The text of a profile without segments and with these further members.
std::string with_members(const std::string& members) {
  return R"({"format": "pliant-profile", "version": 1, "program": "", "segments": [])" + members +
         "}";
}

std::string error_of(const std::string& text) {
  const auto profile = read_profile(text);
  return profile ? "" : profile.error().to_string();
}

TEST(ProfileJson, WhatIsWrittenIsReadAgain) {
  const auto read = read_profile(write_profile(example()));
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(*read, example());
}

TEST(ProfileJson, AnEmptyProfileIsReadAgain) {
  const auto read = read_profile(write_profile({}));
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(*read, Profile{});
}

TEST(ProfileJson, IsWrittenOneSignatureALine) {
  Profile profile;
  profile.program = "p";
  profile.segments.push_back({.name = "main",
                              .entries = {{"seq", Entry::Kind::kExtent}},
                              .signatures = {{{128}, 41}, {{17}, 9}}});
  profile.value_ranges = {{"ids", 0, 30'521}};
  EXPECT_EQ(write_profile(profile), R"({
  "format": "pliant-profile",
  "version": 1,
  "program": "p",
  "segments": [
    {
      "name": "main",
      "entries": [
        {"name": "seq", "kind": "extent"}
      ],
      "signatures": [
        {"values": [128], "weight": 41},
        {"values": [17], "weight": 9}
      ],
      "forgotten_weight": 0
    }
  ],
  "value_ranges": [
    {"input": "ids", "low": 0, "high": 30521}
  ]
}
)");
}

TEST(ProfileJson, NamesThatAreNoTextAreStillWrittenAsJson) {
  Profile profile;
  profile.value_ranges = {{"a\xff", 0, 1}};
  EXPECT_EQ(error_of(write_profile(profile)), "");
}

TEST(ProfileJson, ForgottenWeightAndValueRangesMayBeLeftOut) {
  EXPECT_EQ(error_of(with_members("")), "");
  EXPECT_EQ(error_of(with_signatures(R"([{"values": [5], "weight": 1}])")), "");
}

TEST(ProfileJson, EachPrefixOfAProfileIsRefusedWithALine) {
  const std::string text = write_profile(example());
  for (std::size_t size = 0; size + 2 < text.size(); ++size) {
    ASSERT_THAT(error_of(text.substr(0, size)), AllOf(HasSubstr("JSON"), HasSubstr("line ")))
        << text.substr(0, size);
  }
}

TEST(ProfileJson, ErrorsInTheTextNameLineAndColumn) {
  EXPECT_EQ(error_of("{\n  \"format\": nonsense\n}"),
            "corrupt data: profile: the text is no JSON (line 2, column 14)");
  EXPECT_EQ(error_of(""),
            "corrupt data: profile: the text ends too early to be JSON (line 1, column 1)");
  EXPECT_THAT(error_of(with_members("") + "]"), HasSubstr("no JSON"));
  EXPECT_THAT(error_of("\"\xff\""), HasSubstr("no JSON"));
  EXPECT_THAT(error_of(std::string("{\0}", 3)), HasSubstr("no JSON"));
}

TEST(ProfileJson, OtherDocumentsAndVersionsAreRefused) {
  EXPECT_THAT(error_of("{}"), HasSubstr("no traffic profile"));
  EXPECT_THAT(error_of("[]"), HasSubstr("no traffic profile"));
  EXPECT_THAT(error_of("null"), HasSubstr("no traffic profile"));
  EXPECT_THAT(error_of(R"({"format": 3})"), HasSubstr("no traffic profile"));
  EXPECT_THAT(error_of(R"({"format": "pliant-profile"})"), HasSubstr("version"));
  EXPECT_EQ(error_of(R"({"format": "pliant-profile", "version": 2, "novelty": []})"),
            "unsupported: profile: version 1 can be read, not version 2");
  EXPECT_THAT(error_of(R"({"format": "pliant-profile", "version": "1"})"), HasSubstr("(version)"));
}

TEST(ProfileJson, ExtentsAreRangeChecked) {
  EXPECT_EQ(error_of(with_signatures(R"([{"values": [0], "weight": 1}])")), "");
  EXPECT_EQ(error_of(with_signatures(R"([{"values": [1], "weight": 1},
                                         {"values": [-1], "weight": 1}])")),
            "corrupt data: profile: a whole number in 0..1099511627775 is wanted here, not -1 "
            "(segments[0].signatures[1].values[0])");
  // Scenario 23: a bucket up to 2^40.
  for (const char* extent : {"1099511627776", "9223372036854775807", "18446744073709551616", "1e3",
                             "1.5", "\"5\"", "null", "true", "[5]", "1e400"}) {
    EXPECT_THAT(
        error_of(with_signatures(fmt::format(R"([{{"values": [{}], "weight": 1}}])", extent))),
        AnyOf(HasSubstr("segments[0].signatures[0].values[0]"), HasSubstr("line ")))
        << extent;
  }
}

TEST(ProfileJson, WeightsAreOneOrMore) {
  for (const char* weight : {"0", "-1", "18446744073709551616", "2.0", "\"1\""}) {
    EXPECT_THAT(
        error_of(with_signatures(fmt::format(R"([{{"values": [5], "weight": {}}}])", weight))),
        HasSubstr("segments[0].signatures[0].weight"))
        << weight;
  }
}

TEST(ProfileJson, SignaturesHaveOneValuePerEntryAndAreListedOnce) {
  EXPECT_THAT(error_of(with_signatures(R"([{"values": [], "weight": 1}])")),
              HasSubstr("one value for each entry is wanted: 1 and 0"));
  EXPECT_THAT(error_of(with_signatures(R"([{"values": [5, 6], "weight": 1}])")),
              HasSubstr("1 and 2"));
  EXPECT_THAT(
      error_of(with_signatures(R"([{"values": [5], "weight": 1}, {"values": [5], "weight": 2}])")),
      HasSubstr("listed twice: [5] (segments[0].signatures[1])"));
}

TEST(ProfileJson, RangesOfValuesAreSortedAndListedOnce) {
  const auto with_ranges = [](const std::string& ranges) {
    return with_members(R"(, "value_ranges": )" + ranges);
  };
  EXPECT_EQ(error_of(with_ranges(R"([{"input": "a", "low": 7, "high": 7}])")), "");
  EXPECT_EQ(error_of(with_ranges(R"([{"input": "a", "low": 1000, "high": 0}])")),
            "corrupt data: profile: a range ends before it begins: 1000 and 0 (value_ranges[0])");
  EXPECT_THAT(error_of(with_ranges(R"([{"input": "a", "low": 0, "high": 1},
                                       {"input": "a", "low": 0, "high": 1}])")),
              HasSubstr("value_ranges[1]"));
  EXPECT_THAT(error_of(with_ranges(R"([{"input": "a", "low": 0, "high": 9223372036854775808}])")),
              HasSubstr("value_ranges[0].high"));
  EXPECT_THAT(error_of(with_ranges(R"([{"input": "a", "low": 0}])")), HasSubstr("missing: high"));
  EXPECT_THAT(error_of(with_ranges("{}")), HasSubstr("a list is wanted"));
}

TEST(ProfileJson, UnknownAndDoubledKeysAreRefused) {
  EXPECT_THAT(error_of(with_members(R"(, "bucket_width": 0)")),
              HasSubstr("unknown key: \"bucket_width\""));
  EXPECT_THAT(error_of(with_members(R"(, "version": 1)")),
              AllOf(HasSubstr("names a key twice"), HasSubstr("(version)")));
  EXPECT_THAT(error_of(with_signatures(R"([{"values": [5], "weight": 1, "weight": 2}])")),
              HasSubstr("(segments[0].signatures[0].weight)"));
  EXPECT_THAT(error_of(with_members(R"(, "a\u001b[31m": 1)")), Not(HasSubstr("\x1b")));
}

TEST(ProfileJson, KindsAndNamesAreChecked) {
  EXPECT_THAT(error_of(R"({"format": "pliant-profile", "version": 1, "program": "", "segments": [
                   {"name": "main", "entries": [{"name": "seq", "kind": "Extent"}],
                    "signatures": []}]})"),
              HasSubstr("segments[0].entries[0].kind"));
  EXPECT_THAT(error_of(with_members(
                  fmt::format(R"(, "value_ranges": [{{"input": "{}", "low": 0, "high": 0}}])",
                              std::string(5000, 'x')))),
              HasSubstr("4096 bytes at most, and this one has 5000"));
}

TEST(ProfileJson, HugeCountsAreRefused) {
  std::string signatures = "[";
  for (std::size_t i = 0; i <= kMaxProfiledSignatures; ++i) {
    signatures += fmt::format(R"({}{{"values":[{}],"weight":1}})", i == 0 ? "" : ",", i);
  }
  EXPECT_THAT(error_of(with_signatures(signatures + "]")),
              AllOf(HasSubstr("resource exhausted"), HasSubstr("65536"), HasSubstr("65537"),
                    HasSubstr("segments[0].signatures")));

  std::string zeros = "0";
  for (int i = 0; i < 4'000'000; ++i) {
    zeros += ",0";
  }
  EXPECT_THAT(error_of(with_members(", \"value_ranges\": [" + zeros + "]")),
              HasSubstr("4000000 values at most"));

  std::string keys;
  for (int i = 0; i < 100; ++i) {
    keys += fmt::format(R"(, "k{}": 0)", i);
  }
  EXPECT_THAT(error_of(with_members(keys)), HasSubstr("64 keys at most"));
}

TEST(ProfileJson, DeepNestingIsRefused) {
  EXPECT_THAT(error_of(std::string(1'000'000, '[')), HasSubstr("nested 8 deep"));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) {
    objects += "{\"a\":";
  }
  EXPECT_THAT(error_of(objects), HasSubstr("nested 8 deep"));
}

TEST(ProfileJson, TextThatIsTooLongIsRefused) {
  EXPECT_THAT(error_of(std::string(kMaxProfileBytes + 1, ' ')), HasSubstr("resource exhausted"));
}

}  // namespace
}  // namespace pliant::shapes
