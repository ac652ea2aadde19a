#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <pliant/tensor.h>

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Shape = std::vector<std::int64_t>;

TEST(Tensor, IsEmptyAtFirst) {
  const Tensor tensor;
  EXPECT_EQ(tensor.element_count(), 0);
  EXPECT_THAT(tensor.shape(), ElementsAre(0));
}

TEST(Tensor, AllocatesAlignedMemory) {
  auto tensor = Tensor::allocate(DType::kF64, Shape{2, 3});
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->byte_size(), 48u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor->data()) % 64, 0u);
  auto scalar = Tensor::allocate(DType::kI8, Shape{});
  ASSERT_TRUE(scalar);
  EXPECT_EQ(scalar->element_count(), 1);
  auto empty = Tensor::allocate(DType::kI8, Shape{4, 0});
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->byte_size(), 0u);
}

TEST(Tensor, RefusesShapesThatCannotBe) {
  const auto negative = Tensor::allocate(DType::kF32, Shape{2, -1});
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().code, ErrorCode::kShapeMismatch);
  EXPECT_THAT(negative.error().message, HasSubstr("axis 1 is negative: -1"));
  EXPECT_EQ(Tensor::allocate(DType::kF32, Shape(9, 1)).error().code, ErrorCode::kShapeMismatch);
  const std::int64_t huge = std::int64_t{1} << 32;
  EXPECT_EQ(Tensor::allocate(DType::kF32, Shape{huge, huge}).error().code,
            ErrorCode::kResourceExhausted);
  EXPECT_EQ(
      Tensor::allocate(DType::kF64, Shape{std::numeric_limits<std::int64_t>::max()}).error().code,
      ErrorCode::kResourceExhausted);
  EXPECT_TRUE(Tensor::allocate(DType::kF32, Shape{huge, huge, 0}));
}

TEST(Tensor, BorrowedMemoryIsNotCopied) {
  const std::vector<float> values = {1, 2, 3};
  auto tensor = Tensor::borrow(values.data(), DType::kF32, Shape{3});
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->data(), values.data());
  EXPECT_EQ(tensor->owner(), nullptr);
  EXPECT_EQ(Tensor::borrow(nullptr, DType::kF32, Shape{3}).error().code,
            ErrorCode::kInvalidArgument);
  EXPECT_TRUE(Tensor::borrow(nullptr, DType::kF32, Shape{3, 0}));
}

TEST(Tensor, KeepsTheOwnerOfBorrowedMemory) {
  auto owner = std::make_shared<std::vector<float>>(3);
  {
    auto tensor = Tensor::borrow(owner->data(), DType::kF32, Shape{3}, owner);
    ASSERT_TRUE(tensor);
    const Tensor copy = *tensor;
    EXPECT_EQ(owner.use_count(), 3);
  }
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(Tensor, CopiesOnlyAsManyValuesAsItHas) {
  const std::vector<float> values = {1, 2, 3};
  auto tensor = Tensor::copy_of(DType::kF32, Shape{3}, std::span<const float>(values));
  ASSERT_TRUE(tensor);
  EXPECT_THAT(std::vector<float>(tensor->values<float>().begin(), tensor->values<float>().end()),
              ElementsAre(1, 2, 3));
  EXPECT_FALSE(Tensor::copy_of(DType::kF32, Shape{4}, std::span<const float>(values)));
}

}  // namespace
}  // namespace pliant
