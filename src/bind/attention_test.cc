#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/half.h"
#include "support/backwards_for.h"
#include "support/one_instruction.h"

namespace pliant::bind {
namespace {

using ::testing::HasSubstr;
using namespace ::pliant::testing;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Case {
  std::int64_t batch = 1;
  std::int64_t heads = 2;
  std::int64_t key_heads = 2;
  std::int64_t queries = 5;
  std::int64_t keys = 7;
  std::int64_t width = 8;
  std::int64_t value_width = 8;
  bool causal = false;
  double softcap = 0;
  std::optional<StoredTensor> mask = {};
  isa::MaskedRow masked = isa::MaskedRow::kZero;
};

/// The same numbers in another element type.
template <class T>
StoredTensor as_type(const StoredTensor& tensor) {
  std::vector<T> values;
  for (const float value : values_of<float>(tensor.view)) {
    if constexpr (std::is_same_v<T, Half>) {
      values.push_back(to_half(value));
    } else if constexpr (std::is_same_v<T, BFloat16>) {
      values.push_back(to_bfloat16(value));
    } else {
      values.push_back(static_cast<T>(value));
    }
  }
  return tensor_of<T>(tensor.view.shape, values);
}

struct Inputs {
  StoredTensor q;
  StoredTensor k;
  StoredTensor v;
};
Inputs random_inputs(const Case& c) {
  return {random_tensor({c.batch, c.heads, c.queries, c.width}, 1),
          random_tensor({c.batch, c.key_heads, c.keys, c.width}, 2),
          random_tensor({c.batch, c.key_heads, c.keys, c.value_width}, 3)};
}

OneInstruction attention(const Case& c, const Inputs& inputs) {
  OneInstruction run(isa::Opcode::kAttention);
  run.tensor("q", inputs.q).tensor("k", inputs.k).tensor("v", inputs.v);
  run.set("causal", isa::flag(c.causal)).set("softcap", isa::real(c.softcap));
  run.set("masked", isa::choice(c.masked));
  if (c.mask) {
    run.tensor("mask", *c.mask);
  }
  return run;
}

StoredTensor result_of(OneInstruction run) {
  auto results = run();
  EXPECT_TRUE(results.has_value()) << (results ? "" : results.error().message);
  return results ? (*results)[0] : StoredTensor{};
}

/// f64 runs the definition; f32 inputs are exact in it.
std::vector<double> expected_values(const Case& c, const Inputs& inputs) {
  Case wide = c;
  if (wide.mask && wide.mask->view.dtype == DType::kF32) {
    wide.mask = as_type<double>(*wide.mask);
  }
  return values_of<double>(
      result_of(attention(wide, {as_type<double>(inputs.q), as_type<double>(inputs.k),
                                 as_type<double>(inputs.v)}))
          .view);
}

void expect_near(const std::vector<float>& values, const std::vector<double>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_NEAR(values[i], expected[i], 2e-5) << "element " << i;
  }
}

void check(const Case& c) {
  SCOPED_TRACE(::testing::Message() << c.batch << " " << c.heads << "/" << c.key_heads << " "
                                    << c.queries << " x " << c.keys << " width " << c.width << ", "
                                    << c.value_width << (c.causal ? " causal" : ""));
  testing::BackwardsFor pieces;
  const Inputs inputs = random_inputs(c);
  const std::vector<double> expected = expected_values(c, inputs);
  for (const CpuLevel level : {CpuLevel::kPortable, CpuLevel::kAvx2, CpuLevel::kAvx512}) {
    if (level > detected_cpu_level()) {
      continue;
    }
    const std::vector<float> alone =
        values_of<float>(result_of(attention(c, inputs).at_level(level)).view);
    expect_near(alone, expected);
    EXPECT_EQ(values_of<float>(result_of(attention(c, inputs).at_level(level).on(pieces)).view),
              alone);
  }
}

TEST(AttentionTest, FollowsTheDefinition) {
  check({});
  check({.batch = 2,
         .heads = 3,
         .key_heads = 3,
         .queries = 50,
         .keys = 70,
         .width = 64,
         .value_width = 64});
  check({.heads = 8, .key_heads = 2, .queries = 13, .keys = 33, .width = 16, .value_width = 24});
  check({.heads = 6, .key_heads = 1, .queries = 1, .keys = 300, .width = 32, .value_width = 32});
  check({.heads = 1, .key_heads = 1, .queries = 1, .keys = 1, .width = 1, .value_width = 1});
  check({.queries = 100, .keys = 65, .width = 5, .value_width = 7});
  check({.queries = 40, .keys = 40, .softcap = 0.5});
}

TEST(AttentionTest, CausalQueriesSeeKeysUpToTheirOwn) {
  check({.queries = 30, .keys = 30, .causal = true});
  check({.heads = 4, .key_heads = 2, .queries = 3, .keys = 50, .causal = true});
  check({.queries = 40, .keys = 9, .causal = true});  // the first 31 rows see nothing
}

TEST(AttentionTest, ARowWithoutVisibleKeysIsTheMeanIfAsked) {
  const float rows[] = {-kInfinity, 0, -kInfinity};
  for (const std::int64_t keys : {1, 7, 40}) {
    Case c{.queries = 3, .keys = keys, .masked = isa::MaskedRow::kMean};
    c.mask = tensor_of<float>({3, 1}, {rows[0], rows[1], rows[2]});
    check(c);
    c.causal = true;
    check(c);
    const Inputs inputs = random_inputs(c);
    const std::vector<float> values = values_of<float>(result_of(attention(c, inputs)).view);
    const std::vector<float> v = values_of<float>(inputs.v.view);
    float sum = 0;
    for (std::int64_t key = 0; key < keys; ++key) {
      sum += v[static_cast<std::size_t>(key * c.value_width)];
    }
    EXPECT_NEAR(values[0], sum / static_cast<float>(keys), 1e-5);
  }
}

TEST(AttentionTest, ARowWithoutVisibleKeysIsNanIfAsked) {
  Case c{.heads = 1, .key_heads = 1, .queries = 2, .keys = 3, .masked = isa::MaskedRow::kNan};
  c.mask = tensor_of<float>({2, 1}, {0, -kInfinity});
  const Inputs inputs = random_inputs(c);
  for (const CpuLevel level : {CpuLevel::kPortable, CpuLevel::kAvx2, CpuLevel::kAvx512}) {
    if (level > detected_cpu_level()) {
      continue;
    }
    const std::vector<float> values =
        values_of<float>(result_of(attention(c, inputs).at_level(level)).view);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(std::isnan(values[i]), i >= values.size() / 2) << i;
    }
  }
  const std::vector<double> definition = expected_values(c, inputs);
  EXPECT_TRUE(std::isnan(definition.back()));
  EXPECT_FALSE(std::isnan(definition.front()));
}

TEST(AttentionTest, NoKeysAtAllAreZeroHowever) {
  for (const isa::MaskedRow masked : {isa::MaskedRow::kNan, isa::MaskedRow::kMean}) {
    check({.keys = 0, .masked = masked});
  }
}

TEST(AttentionTest, ARowWithoutVisibleKeysIsZero) {
  Case c{.queries = 4, .keys = 2, .causal = true};
  const Inputs inputs = random_inputs(c);
  const std::vector<float> values = values_of<float>(result_of(attention(c, inputs)).view);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(values[i], 0.0f);
  }
  c.causal = false;
  c.mask = tensor_of<float>({1, 2}, {-kInfinity, -kInfinity});
  for (const float value : values_of<float>(result_of(attention(c, inputs)).view)) {
    EXPECT_EQ(value, 0.0f);
  }
}

TEST(AttentionTest, NoKeysGiveZerosAndNoQueriesNothing) {
  Case c{.keys = 0};
  for (const float value : values_of<float>(result_of(attention(c, random_inputs(c))).view)) {
    EXPECT_EQ(value, 0.0f);
  }
  c = {.queries = 0};
  EXPECT_EQ(result_of(attention(c, random_inputs(c))).view.shape, (Shape{1, 2, 0, 8}));
}

TEST(AttentionTest, MasksBroadcast) {
  for (const Shape& shape : {Shape{19}, Shape{11, 19}, Shape{2, 1, 1, 19}, Shape{3, 11, 1},
                             Shape{2, 3, 11, 19}, Shape{1, 1, 1, 1}}) {
    Case c{.batch = 2, .heads = 3, .key_heads = 3, .queries = 11, .keys = 19};
    c.mask = random_tensor(shape, 9);
    check(c);
    std::vector<bool> seen;
    for (const float value : values_of<float>(c.mask->view)) {
      seen.push_back(value > -0.3f);
    }
    c.mask = tensor_of<bool>(shape, seen);
    check(c);
    c.causal = true;
    check(c);
  }
}

TEST(AttentionTest, MaskStridesAreFollowed) {
  Case c{.queries = 11, .keys = 19};
  const int swapped[] = {1, 0};
  const StoredTensor mask = random_tensor({11, 19}, 9);
  c.mask = with_memory_order(mask, swapped);
  check(c);
}

TEST(AttentionTest, HeadsInterleavedWithTokensGiveTheSameBits) {
  const Case c{.batch = 2,
               .heads = 4,
               .key_heads = 4,
               .queries = 30,
               .keys = 45,
               .width = 16,
               .value_width = 16};
  const Inputs inputs = random_inputs(c);
  const int order[] = {0, 2, 1, 3};
  const int reversed[] = {3, 2, 1, 0};
  const std::vector<float> expected = values_of<float>(result_of(attention(c, inputs)).view);
  const Inputs interleaved{with_memory_order(inputs.q, order), with_memory_order(inputs.k, order),
                           with_memory_order(inputs.v, order)};
  EXPECT_EQ(values_of<float>(result_of(attention(c, interleaved)).view), expected);
  const Inputs backwards{with_memory_order(inputs.q, reversed),
                         with_memory_order(inputs.k, reversed),
                         with_memory_order(inputs.v, reversed)};
  EXPECT_EQ(values_of<float>(result_of(attention(c, backwards)).view), expected);
}

TEST(AttentionTest, ABatchEntryHasTheSameBitsAlone) {
  const Case both{.batch = 2,
                  .heads = 3,
                  .key_heads = 1,
                  .queries = 37,
                  .keys = 61,
                  .width = 16,
                  .value_width = 16};
  const Inputs inputs = random_inputs(both);
  const std::vector<float> expected = values_of<float>(result_of(attention(both, inputs)).view);
  Case one = both;
  one.batch = 1;
  Inputs first = inputs;
  first.q.view.shape[0] = first.k.view.shape[0] = first.v.view.shape[0] = 1;
  const std::vector<float> values = values_of<float>(result_of(attention(one, first)).view);
  EXPECT_TRUE(std::equal(values.begin(), values.end(), expected.begin()));
}

TEST(AttentionTest, HalfTypesRoundOnce) {
  const Case c{.heads = 4, .key_heads = 2, .queries = 9, .keys = 21, .width = 16, .value_width = 8};
  const Inputs inputs = random_inputs(c);
  const Inputs half{as_type<Half>(inputs.q), as_type<Half>(inputs.k), as_type<Half>(inputs.v)};
  const std::vector<double> expected = expected_values(c, inputs);
  const std::vector<Half> values = values_of<Half>(result_of(attention(c, half)).view);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(to_float(values[i]), expected[i], 2e-3);
  }
  const Inputs brain{as_type<BFloat16>(inputs.q), as_type<BFloat16>(inputs.k),
                     as_type<BFloat16>(inputs.v)};
  Case masked = c;
  masked.mask = as_type<BFloat16>(random_tensor({9, 21}, 5));
  EXPECT_EQ(result_of(attention(masked, brain)).view.dtype, DType::kBF16);
}

TEST(AttentionTest, LargeScoresStayFinite) {
  const Case c{};
  Inputs inputs = random_inputs(c);
  for (std::int64_t i = 0; i < inputs.q.view.element_count(); ++i) {
    inputs.q.view.as<float>()[i] *= 1e4f;
  }
  for (const float value : values_of<float>(result_of(attention(c, inputs)).view)) {
    EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(AttentionTest, NaNStaysInItsRow) {
  const Case c{.heads = 1, .key_heads = 1};
  Inputs inputs = random_inputs(c);
  inputs.q.view.as<float>()[2 * 8] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> values = values_of<float>(result_of(attention(c, inputs)).view);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(std::isnan(values[i]), i / 8 == 2) << i;
  }
}

TEST(AttentionTest, NamesWhatDoesNotFit) {
  Case c{.heads = 3, .key_heads = 2};
  auto result = attention(c, random_inputs(c))();
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("heads of k must divide heads of q: 2 and 3"));
  c = {};
  c.mask = random_tensor({3, 7}, 1);
  result = attention(c, random_inputs(c))();
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("mask [3, 7] does not broadcast to [1, 2, 5, 7]"));
}

}  // namespace
}  // namespace pliant::bind
