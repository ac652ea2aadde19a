#include "plan/place.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace pliant::plan {
namespace {

TEST(Place, ComesBackFromItsAddress) {
  for (const int buffer : {0, 1, 77, (1 << 17) - 1}) {
    for (const std::int64_t offset : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-4096},
                                      (std::int64_t{1} << 45) - 1, -(std::int64_t{1} << 45)}) {
      const std::optional<Place> place = place_at(address_of({buffer, offset}));
      ASSERT_TRUE(place.has_value());
      EXPECT_EQ(place->buffer, buffer);
      EXPECT_EQ(place->offset, offset);
    }
  }
}

TEST(Place, MovesWithTheAddress) {
  const auto* const address = static_cast<const std::byte*>(address_of({5, 64}));
  const std::optional<Place> place = place_at(address - 128);
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->buffer, 5);
  EXPECT_EQ(place->offset, -64);
}

TEST(Place, RealAddressesAreNone) {
  const int number = 3;
  EXPECT_FALSE(place_at(&number).has_value());
  EXPECT_FALSE(place_at(nullptr).has_value());
}

}  // namespace
}  // namespace pliant::plan
