#include "bind/reshape_strides.h"

#include <gtest/gtest.h>

namespace pliant::bind {
namespace {

TEST(ReshapeStrides, RowMajorTensorsTakeAnyShape) {
  EXPECT_EQ(reshape_strides({2, 3, 4}, {12, 4, 1}, {6, 4}), (Strides{4, 1}));
  EXPECT_EQ(reshape_strides({2, 3, 4}, {12, 4, 1}, {24}), (Strides{1}));
  EXPECT_EQ(reshape_strides({2, 3, 4}, {12, 4, 1}, {4, 3, 2}), (Strides{6, 2, 1}));
  EXPECT_EQ(reshape_strides({}, {}, {1, 1}), (Strides{1, 1}));
  EXPECT_EQ(reshape_strides({1, 1}, {5, 7}, {}), (Strides{}));
}

TEST(ReshapeStrides, SplittingAnAxisNeverNeedsACopy) {
  EXPECT_EQ(reshape_strides({6, 4}, {1, 6}, {2, 3, 4}), (Strides{3, 1, 6}));
  EXPECT_EQ(reshape_strides({6}, {-2}, {2, 3}), (Strides{-6, -2}));
  EXPECT_EQ(reshape_strides({6}, {0}, {2, 3}), (Strides{0, 0}));
}

TEST(ReshapeStrides, MergingNeedsNeighboursInMemory) {
  EXPECT_EQ(reshape_strides({2, 3, 4}, {1, 8, 2}, {2, 12}), (Strides{1, 2}));
  EXPECT_FALSE(reshape_strides({2, 3}, {1, 2}, {6}));
  EXPECT_FALSE(reshape_strides({2, 3}, {4, 1}, {6}));
}

TEST(ReshapeStrides, AxesOfExtentOneDoNotMatter) {
  EXPECT_EQ(reshape_strides({2, 1, 3}, {3, 99, 1}, {1, 6, 1}).value()[1], 1);
  EXPECT_TRUE(reshape_strides({1, 4}, {0, 1}, {4, 1}));
}

TEST(ReshapeStrides, EmptyTensorsTakeAnyEmptyShape) {
  EXPECT_TRUE(reshape_strides({0, 8, 4}, {1, 7, 3}, {4, 2, 0}));
}

}  // namespace
}  // namespace pliant::bind
