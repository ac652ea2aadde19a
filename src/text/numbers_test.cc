#include "text/numbers.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace pliant::text {
namespace {

TEST(Numbers, EveryHalfReadsBackAsItself) {
  for (const DType dtype : {DType::kF16, DType::kBF16}) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      std::array<std::byte, 8> element{};
      std::array<std::byte, 8> read{};
      const auto narrow = static_cast<std::uint16_t>(bits);
      std::memcpy(element.data(), &narrow, sizeof(narrow));
      const std::string text = element_text(dtype, element.data());
      if (text.starts_with("bits(")) {
        ASSERT_TRUE(parse_element_bits(text.substr(5, text.size() - 6), dtype, read.data()));
      } else {
        ASSERT_TRUE(parse_element(text, dtype, read.data())) << text;
      }
      ASSERT_EQ(element, read) << text;
    }
  }
}

TEST(Numbers, RealsAreNotTakenForWholeNumbers) {
  EXPECT_EQ(real_text(1), "1.0");
  EXPECT_EQ(real_text(-0.0), "-0.0");
  EXPECT_EQ(real_text(1e-5), "1e-05");
  EXPECT_EQ(real_text(0.1), "0.1");
  EXPECT_EQ(real_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(real_text(std::nan("")), "nan");
}

TEST(Numbers, RefusesWhatDoesNotFit) {
  EXPECT_EQ(parse_whole("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_whole("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(parse_whole("1x"), std::nullopt);
  EXPECT_EQ(parse_real("1e999"), std::nullopt);
  EXPECT_EQ(parse_unsigned("-1"), std::nullopt);
  std::array<std::byte, 8> element{};
  EXPECT_FALSE(parse_element("256", DType::kU8, element.data()));
  EXPECT_FALSE(parse_element("1.5", DType::kI32, element.data()));
  EXPECT_FALSE(parse_element("1", DType::kBool, element.data()));
  EXPECT_FALSE(parse_element_bits("0x10000", DType::kF16, element.data()));
}

}  // namespace
}  // namespace pliant::text
