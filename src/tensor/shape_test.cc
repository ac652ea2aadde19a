#include "tensor/shape.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace pliant {
namespace {

TEST(Shape, CountsElementsAndRefusesOverflow) {
  EXPECT_EQ(checked_element_count({}), 1);
  EXPECT_EQ(checked_element_count({2, 3, 4}), 24);
  EXPECT_EQ(checked_element_count({std::int64_t{1} << 32, std::int64_t{1} << 32}), std::nullopt);
}

TEST(Shape, EmptyTensorsMayHaveAnyOtherExtents) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 40;
  for (const Shape& shape :
       {Shape{0, kLarge, kLarge}, Shape{kLarge, 0, kLarge}, Shape{kLarge, kLarge, 0}}) {
    EXPECT_EQ(checked_element_count(shape), 0);
    EXPECT_EQ(element_count(shape), 0);
    EXPECT_EQ(contiguous_strides(shape).size(), 3u);
    EXPECT_EQ(permuted_strides(shape, std::vector<int>{2, 0, 1}).size(), 3u);
    EXPECT_TRUE(is_contiguous(shape, contiguous_strides(shape)));
    EXPECT_TRUE(is_dense(shape, contiguous_strides(shape)));
  }
}

TEST(Shape, StridesFollowTheOrderInMemory) {
  const Shape shape{2, 3, 4};
  EXPECT_EQ(contiguous_strides(shape), (Strides{12, 4, 1}));
  EXPECT_EQ(permuted_strides(shape, std::vector<int>{0, 2, 1}), (Strides{12, 1, 3}));
  EXPECT_FALSE(is_contiguous(shape, Strides{12, 1, 3}));
  EXPECT_TRUE(is_dense(shape, Strides{12, 1, 3}));
  EXPECT_FALSE(is_dense(shape, Strides{12, 0, 3}));
  EXPECT_TRUE(is_contiguous({1, 4}, Strides{99, 1}));
}

}  // namespace
}  // namespace pliant
