#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/half.h"
#include "support/backwards_for.h"
#include "support/one_instruction.h"

// GATHER, GATHER_ELEMENTS, GATHER_ND, SCATTER_ELEMENTS and SCATTER_ND.

namespace pliant::testing {
namespace {

using isa::Opcode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class T>
StoredTensor counted(const Shape& shape) {
  std::vector<T> values(static_cast<std::size_t>(element_count(shape)));
  std::iota(values.begin(), values.end(), T{0});
  return tensor_of<T>(shape, values);
}

StoredTensor indices(const Shape& shape, const std::vector<std::int64_t>& values) {
  return tensor_of<std::int64_t>(shape, values);
}

template <class T>
std::vector<T> values(OneInstruction& instruction) {
  auto results = instruction();
  EXPECT_TRUE(results.has_value()) << (results ? "" : results.error().message);
  return results ? values_of<T>((*results)[0].view) : std::vector<T>{};
}

std::string error(OneInstruction& instruction) {
  const auto results = instruction();
  return results ? "no error" : results.error().message;
}

TEST(Gather, RowsColumnsAndScalars) {
  testing::BackwardsFor backwards(3);
  OneInstruction rows(Opcode::kGather);
  rows.tensor("x", counted<float>({4, 3}))
      .tensor("indices", indices({2, 2}, {3, -4, 1, -1}))
      .on(backwards);
  EXPECT_THAT(values<float>(rows), ElementsAre(9, 10, 11, 0, 1, 2, 3, 4, 5, 9, 10, 11));
  OneInstruction columns(Opcode::kGather);
  columns.tensor("x", counted<std::uint8_t>({2, 3}))
      .tensor("indices", tensor_of<std::int32_t>({2}, {2, 0}))
      .set("axis", isa::number(-1))
      .on(backwards);
  EXPECT_THAT(values<std::uint8_t>(columns), ElementsAre(2, 0, 5, 3));
  OneInstruction scalar(Opcode::kGather);
  scalar.tensor("x", counted<double>({5})).tensor("indices", indices({}, {-1}));
  EXPECT_THAT(values<double>(scalar), ElementsAre(4));
}

TEST(Gather, StridedInputsGiveTheSame) {
  const StoredTensor x = counted<float>({3, 4, 5});
  const StoredTensor picked = indices({2, 3}, {2, 0, 1, -1, -2, 3});
  for (const std::int64_t axis : {1, 2}) {
    OneInstruction plain(Opcode::kGather);
    plain.tensor("x", x).tensor("indices", picked).set("axis", isa::number(axis));
    const int order[] = {2, 0, 1};
    const int index_order[] = {1, 0};
    OneInstruction strided(Opcode::kGather);
    strided.tensor("x", with_memory_order(x, order))
        .tensor("indices", with_memory_order(picked, index_order))
        .set("axis", isa::number(axis));
    EXPECT_EQ(values<float>(plain), values<float>(strided)) << axis;
  }
}

TEST(Gather, EmptyIndicesAndEmptyInputs) {
  OneInstruction none(Opcode::kGather);
  none.tensor("x", counted<float>({0, 3})).tensor("indices", indices({0}, {}));
  EXPECT_TRUE(values<float>(none).empty());
  OneInstruction into_nothing(Opcode::kGather);
  into_nothing.tensor("x", counted<float>({0, 3})).tensor("indices", indices({1}, {0}));
  EXPECT_THAT(error(into_nothing), HasSubstr("no element"));
}

TEST(Gather, RefusesIndicesOutside) {
  const auto message = [](std::int64_t index) {
    OneInstruction instruction(Opcode::kGather);
    instruction.tensor("x", counted<float>({5})).tensor("indices", indices({1}, {index}));
    return error(instruction);
  };
  EXPECT_THAT(message(5), HasSubstr("index 5 is outside -5..4"));
  EXPECT_THAT(message(-6), HasSubstr("index -6 is outside -5..4"));
  EXPECT_THAT(message(INT64_MIN), HasSubstr("index -9223372036854775808 is outside"));
  EXPECT_EQ(message(-1), "no error");
}

TEST(GatherElements, FollowsTheOtherAxes) {
  OneInstruction rows(Opcode::kGatherElements);
  rows.tensor("x", counted<float>({3, 3})).tensor("indices", indices({2, 3}, {1, 2, 0, 2, 0, -3}));
  EXPECT_THAT(values<float>(rows), ElementsAre(3, 7, 2, 6, 1, 2));
  OneInstruction columns(Opcode::kGatherElements);
  columns.tensor("x", counted<float>({2, 2}))
      .tensor("indices", indices({2, 2}, {0, 0, 1, 0}))
      .set("axis", isa::number(1));
  EXPECT_THAT(values<float>(columns), ElementsAre(0, 0, 3, 2));
}

TEST(GatherNd, TuplesSlicesAndBatches) {
  OneInstruction elements(Opcode::kGatherNd);
  elements.tensor("x", counted<float>({2, 3})).tensor("indices", indices({2, 2}, {1, 2, -2, -1}));
  EXPECT_THAT(values<float>(elements), ElementsAre(5, 2));
  OneInstruction slices(Opcode::kGatherNd);
  slices.tensor("x", counted<float>({2, 2, 2})).tensor("indices", indices({2, 1}, {1, 0}));
  EXPECT_THAT(values<float>(slices), ElementsAre(4, 5, 6, 7, 0, 1, 2, 3));
  OneInstruction batches(Opcode::kGatherNd);
  batches.tensor("x", counted<float>({2, 2, 2}))
      .tensor("indices", indices({2, 1}, {1, 0}))
      .set("batch_dims", isa::number(1));
  EXPECT_THAT(values<float>(batches), ElementsAre(2, 3, 4, 5));
}

TEST(GatherNd, ChecksEveryComponent) {
  const auto message = [](const std::vector<std::int64_t>& tuple) {
    OneInstruction instruction(Opcode::kGatherNd);
    instruction.tensor("x", counted<float>({2, 3})).tensor("indices", indices({1, 2}, tuple));
    return error(instruction);
  };
  EXPECT_THAT(message({1, 3}), HasSubstr("index 3 is outside -3..2"));
  EXPECT_THAT(message({0, -4}), HasSubstr("index -4 is outside -3..2"));
  EXPECT_THAT(message({1, INT64_MIN}), HasSubstr("index -9223372036854775808 is outside -3..2"));
  EXPECT_EQ(message({-1, -1}), "no error");
}

OneInstruction scatter_elements(const StoredTensor& x, const StoredTensor& picked,
                                const StoredTensor& updates, std::int64_t axis,
                                isa::Reduction reduction) {
  OneInstruction instruction(Opcode::kScatterElements);
  instruction.tensor("x", x)
      .tensor("indices", picked)
      .tensor("updates", updates)
      .set("axis", isa::number(axis))
      .set("reduction", isa::choice(reduction));
  return instruction;
}

TEST(ScatterElements, ReplacesInIndexOrder) {
  auto instruction =
      scatter_elements(counted<float>({5}), indices({4}, {1, 1, -1, 1}),
                       tensor_of<float>({4}, {10, 20, 30, 40}), 0, isa::Reduction::kNone);
  EXPECT_THAT(values<float>(instruction), ElementsAre(0, 40, 2, 3, 30));
}

TEST(ScatterElements, Reduces) {
  const auto reduced = [](isa::Reduction reduction) {
    auto instruction =
        scatter_elements(tensor_of<float>({1, 3}, {1, 2, 3}), indices({1, 3}, {1, 1, 0}),
                         tensor_of<float>({1, 3}, {5, -7, 4}), 1, reduction);
    return values<float>(instruction);
  };
  EXPECT_THAT(reduced(isa::Reduction::kAdd), ElementsAre(5, 0, 3));
  EXPECT_THAT(reduced(isa::Reduction::kMultiply), ElementsAre(4, -70, 3));
  EXPECT_THAT(reduced(isa::Reduction::kMaximum), ElementsAre(4, 5, 3));
  EXPECT_THAT(reduced(isa::Reduction::kMinimum), ElementsAre(1, -7, 3));
}

TEST(ScatterElements, SmallTypes) {
  auto half =
      scatter_elements(tensor_of<Half>({1}, {to_half(1)}), indices({2}, {0, 0}),
                       tensor_of<Half>({2}, {to_half(0.5f), to_half(2)}), 0, isa::Reduction::kAdd);
  EXPECT_EQ(to_float(values<Half>(half)[0]), 3.5f);
  auto byte = scatter_elements(tensor_of<std::uint8_t>({1}, {250}), indices({1}, {0}),
                               tensor_of<std::uint8_t>({1}, {10}), 0, isa::Reduction::kAdd);
  EXPECT_THAT(values<std::uint8_t>(byte), ElementsAre(4));
}

/// 2048 + 1 is not an f16: sums that were rounded after every update would stay where they are.
TEST(ScatterElements, SumsAndProductsOfSmallFloatsRoundOnce) {
  const Half signalling_nan{0x7d01};
  const std::vector<Half> x = {to_half(2048), signalling_nan, to_half(-1), to_half(2048)};
  const std::vector<std::int64_t> zeros(4096, 0);
  const std::vector<Half> ones(4096, to_half(1));
  auto sum = scatter_elements(tensor_of<Half>({4}, x), indices({4096}, zeros),
                              tensor_of<Half>({4096}, ones), 0, isa::Reduction::kAdd);
  const std::vector<Half> got = values<Half>(sum);
  EXPECT_EQ(to_float(got[0]), 6144.0f);
  for (std::size_t i = 1; i < x.size(); ++i) {
    EXPECT_EQ(got[i].bits, x[i].bits) << "no update reaches element " << i;
  }
  // 65504 * 2 is not an f16 either.
  auto product = scatter_elements(
      tensor_of<Half>({2}, {to_half(65504), to_half(3)}), indices({2}, {0, 0}),
      tensor_of<Half>({2}, {to_half(2), to_half(0.5f)}), 0, isa::Reduction::kMultiply);
  EXPECT_EQ(to_float(values<Half>(product)[0]), 65504.0f);
}

/// The result is that of f32, rounded, also where several strips and threads are at work.
template <class T>
void check_scatter_of_small_floats(T (*narrow)(float), isa::Reduction reduction) {
  const std::int64_t rows = 9;
  const std::int64_t columns = 21;
  const std::int64_t edges = 50;
  std::vector<T> x;
  std::vector<T> updates;
  std::vector<float> wide;
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    x.push_back(narrow(1.0f + 0.001f * static_cast<float>(i)));
    wide.push_back(to_float(x.back()));
  }
  std::vector<std::int64_t> targets;
  for (std::int64_t e = 0; e < edges; ++e) {
    targets.push_back(e * 7 % (rows - 1));  // no update reaches the last row
    for (std::int64_t i = 0; i < columns; ++i) {
      updates.push_back(narrow(1.0f + 0.01f * static_cast<float>((e + i) % 13)));
      float& element = wide[static_cast<std::size_t>(targets.back() * columns + i)];
      const float update = to_float(updates.back());
      element = reduction == isa::Reduction::kAdd ? element + update : element * update;
    }
  }
  testing::BackwardsFor backwards(2);
  OneInstruction slices(Opcode::kScatterNd);
  slices.tensor("x", tensor_of<T>({rows, columns}, x))
      .tensor("indices", indices({edges, 1}, targets))
      .tensor("updates", tensor_of<T>({edges, columns}, updates))
      .set("reduction", isa::choice(reduction))
      .on(backwards);
  const std::vector<T> got = values<T>(slices);
  ASSERT_EQ(got.size(), wide.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].bits, narrow(wide[i]).bits) << i;
  }
}

TEST(ScatterNd, SumsAndProductsOfSmallFloatsRoundOnce) {
  for (const auto reduction : {isa::Reduction::kAdd, isa::Reduction::kMultiply}) {
    check_scatter_of_small_floats<Half>(to_half, reduction);
    check_scatter_of_small_floats<BFloat16>(to_bfloat16, reduction);
  }
}

/// out[index[e, f], f] += updates[e, f], one after another.
TEST(ScatterElements, ManyRowsInAnyPiecesGiveTheSameBits) {
  const std::int64_t edges = 200;
  const std::int64_t features = 37;
  const StoredTensor x = random_tensor({11, features}, 1);
  const StoredTensor updates = random_tensor({edges, features}, 2);
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < edges * features; ++i) {
    rows.push_back(i * 7919 % 11);
  }
  std::vector<float> expected = values_of<float>(x.view);
  for (std::int64_t e = 0; e < edges; ++e) {
    for (std::int64_t f = 0; f < features; ++f) {
      const auto at =
          static_cast<std::size_t>(rows[static_cast<std::size_t>(e * features + f)] * features + f);
      expected[at] += updates.view.as<float>()[e * features + f];
    }
  }
  testing::BackwardsFor backwards(3);
  auto instruction =
      scatter_elements(x, indices({edges, features}, rows), updates, 0, isa::Reduction::kAdd);
  EXPECT_EQ(values<float>(instruction), expected);
  instruction.on(backwards);
  EXPECT_EQ(values<float>(instruction), expected);
}

TEST(ScatterElements, RefusesIndicesOutsideAndKeepsX) {
  const StoredTensor x = counted<float>({2, 3});
  auto instruction = scatter_elements(x, indices({1, 1}, {2}), tensor_of<float>({1, 1}, {9}), 0,
                                      isa::Reduction::kNone);
  EXPECT_THAT(error(instruction), HasSubstr("index 2 is outside -2..1"));
  EXPECT_THAT(values_of<float>(x.view), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(ScatterElements, NoUpdates) {
  auto instruction = scatter_elements(counted<float>({3}), indices({0}, {}),
                                      tensor_of<float>({0}, {}), 0, isa::Reduction::kAdd);
  EXPECT_THAT(values<float>(instruction), ElementsAre(0, 1, 2));
}

TEST(ScatterNd, ElementsAndSlices) {
  OneInstruction elements(Opcode::kScatterNd);
  elements.tensor("x", counted<float>({2, 3}))
      .tensor("indices", indices({2, 2}, {1, 2, -2, -1}))
      .tensor("updates", tensor_of<float>({2}, {50, 20}));
  EXPECT_THAT(values<float>(elements), ElementsAre(0, 1, 20, 3, 4, 50));
  testing::BackwardsFor backwards(3);
  OneInstruction slices(Opcode::kScatterNd);
  slices.tensor("x", counted<float>({3, 4}))
      .tensor("indices", indices({3, 1}, {2, 0, 2}))
      .tensor("updates", tensor_of<float>({3, 4}, {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}))
      .set("reduction", isa::choice(isa::Reduction::kAdd))
      .on(backwards);
  EXPECT_THAT(values<float>(slices), ElementsAre(2, 3, 4, 5, 4, 5, 6, 7, 12, 13, 14, 15));
}

TEST(ScatterNd, ChecksEveryComponent) {
  OneInstruction instruction(Opcode::kScatterNd);
  instruction.tensor("x", counted<float>({2, 3}))
      .tensor("indices", indices({1, 2}, {1, INT64_MIN}))
      .tensor("updates", tensor_of<float>({1}, {9}));
  EXPECT_THAT(error(instruction), HasSubstr("is outside -3..2"));
}

}  // namespace
}  // namespace pliant::testing
