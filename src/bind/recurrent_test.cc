#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/half.h"
#include "support/backwards_for.h"
#include "support/one_instruction.h"

namespace pliant {
namespace {

using testing::OneInstruction;
using testing::random_tensor;
using testing::tensor_of;
using testing::values_of;
using testing::with_memory_order;

struct RecurrentCase {
  const char* name;
  isa::Opcode opcode;
  std::int64_t steps = 0;
  std::int64_t batch = 0;
  std::int64_t inputs = 0;
  std::int64_t hidden = 0;
  isa::Direction direction = isa::Direction::kForward;
  bool bias = true;
  bool lengths = false;
  bool initial = false;
  bool peephole = false;
  bool flag = false;  ///< coupled (LSTM), linear_before_reset (GRU)
  double clip = 0;
  std::vector<isa::Activation> activations = {};
};

constexpr auto kForward = isa::Direction::kForward;
constexpr auto kReverse = isa::Direction::kReverse;
constexpr auto kBoth = isa::Direction::kBoth;
using A = isa::Activation;

const std::vector<RecurrentCase>& recurrent_cases() {
  static const std::vector<RecurrentCase> cases{
      {.name = "lstm",
       .opcode = isa::Opcode::kLstm,
       .steps = 5,
       .batch = 1,
       .inputs = 7,
       .hidden = 16},
      {.name = "lstm_everything",
       .opcode = isa::Opcode::kLstm,
       .steps = 6,
       .batch = 5,
       .inputs = 3,
       .hidden = 19,
       .direction = kBoth,
       .lengths = true,
       .initial = true,
       .peephole = true,
       .clip = 0.4},
      {.name = "lstm_coupled",
       .opcode = isa::Opcode::kLstm,
       .steps = 3,
       .batch = 4,
       .inputs = 9,
       .hidden = 5,
       .direction = kReverse,
       .bias = false,
       .lengths = true,
       .peephole = true,
       .flag = true},
      {.name = "lstm_large_one_row",
       .opcode = isa::Opcode::kLstm,
       .steps = 3,
       .batch = 1,
       .inputs = 20,
       .hidden = 200,
       .initial = true},
      {.name = "lstm_activations",
       .opcode = isa::Opcode::kLstm,
       .steps = 4,
       .batch = 2,
       .inputs = 3,
       .hidden = 8,
       .direction = kBoth,
       .initial = true,
       .activations = {A::kHardSigmoid, A::kSoftsign, A::kRelu, A::kSigmoid, A::kScaledTanh,
                       A::kElu}},
      {.name = "gru",
       .opcode = isa::Opcode::kGru,
       .steps = 5,
       .batch = 3,
       .inputs = 8,
       .hidden = 24,
       .initial = true},
      {.name = "gru_linear_before_reset",
       .opcode = isa::Opcode::kGru,
       .steps = 7,
       .batch = 4,
       .inputs = 5,
       .hidden = 17,
       .direction = kBoth,
       .lengths = true,
       .initial = true,
       .flag = true},
      {.name = "gru_one_row",
       .opcode = isa::Opcode::kGru,
       .steps = 4,
       .batch = 1,
       .inputs = 5,
       .hidden = 33,
       .direction = kReverse,
       .lengths = true,
       .clip = 0.5},
      {.name = "gru_no_bias",
       .opcode = isa::Opcode::kGru,
       .steps = 2,
       .batch = 2,
       .inputs = 4,
       .hidden = 6,
       .bias = false,
       .flag = true,
       .activations = {A::kAffine, A::kLeakyRelu}},
      {.name = "rnn",
       .opcode = isa::Opcode::kRnn,
       .steps = 5,
       .batch = 2,
       .inputs = 4,
       .hidden = 40,
       .direction = kBoth,
       .lengths = true,
       .initial = true},
      {.name = "rnn_softplus",
       .opcode = isa::Opcode::kRnn,
       .steps = 3,
       .batch = 7,
       .inputs = 1,
       .hidden = 3,
       .activations = {A::kSoftplus}},
      {.name = "rnn_thresholded",
       .opcode = isa::Opcode::kRnn,
       .steps = 3,
       .batch = 1,
       .inputs = 2,
       .hidden = 65,
       .direction = kReverse,
       .initial = true,
       .activations = {A::kThresholdedRelu}},
      {.name = "no_steps",
       .opcode = isa::Opcode::kLstm,
       .steps = 0,
       .batch = 3,
       .inputs = 2,
       .hidden = 4,
       .initial = true},
      {.name = "no_inputs",
       .opcode = isa::Opcode::kGru,
       .steps = 2,
       .batch = 2,
       .inputs = 0,
       .hidden = 4,
       .initial = true},
      {.name = "no_rows",
       .opcode = isa::Opcode::kRnn,
       .steps = 2,
       .batch = 0,
       .inputs = 3,
       .hidden = 4},
  };
  return cases;
}

template <class T>
StoredTensor as_type(const StoredTensor& tensor) {
  const std::vector<float> values = values_of<float>(tensor.view);
  return tensor_of<T>(tensor.view.shape, {values.begin(), values.end()});
}

/// Leads tensors to the instruction in the element type T.
template <class T>
Result<std::vector<StoredTensor>> run_case(const RecurrentCase& c, CpuLevel level,
                                           ParallelFor* parallel, bool constants,
                                           bool batch_first_memory = false) {
  const std::int64_t gates = c.opcode == isa::Opcode::kLstm  ? 4
                             : c.opcode == isa::Opcode::kGru ? 3
                                                             : 1;
  const std::int64_t directions = c.direction == kBoth ? 2 : 1;
  OneInstruction run(c.opcode);
  const std::vector<int> order{1, 0, 2};
  StoredTensor x = as_type<T>(random_tensor({c.steps, c.batch, c.inputs}, 1));
  run.tensor("x", batch_first_memory ? with_memory_order(x, order) : x);
  run.tensor("weights", as_type<T>(random_tensor({directions, gates * c.hidden, c.inputs}, 2)));
  run.tensor("recurrence", as_type<T>(random_tensor({directions, gates * c.hidden, c.hidden}, 3)));
  if (c.bias) {
    run.tensor("bias", as_type<T>(random_tensor({directions, 2 * gates * c.hidden}, 4)));
  }
  if (c.lengths) {
    std::vector<std::int32_t> lengths;
    for (std::int64_t row = 0; row < c.batch; ++row) {
      lengths.push_back(static_cast<std::int32_t>((row * 3 + 2) % (c.steps + 1)));
    }
    run.tensor("lengths", tensor_of<std::int32_t>({c.batch}, lengths));
  }
  if (c.initial) {
    run.tensor("initial_h", as_type<T>(random_tensor({directions, c.batch, c.hidden}, 5)));
    if (c.opcode == isa::Opcode::kLstm) {
      run.tensor("initial_c", as_type<T>(random_tensor({directions, c.batch, c.hidden}, 6)));
    }
  }
  if (c.peephole) {
    run.tensor("peephole", as_type<T>(random_tensor({directions, 3 * c.hidden}, 7)));
  }
  if (c.clip > 0) {
    run.set("clip", isa::real(c.clip));
  }
  if (!c.activations.empty()) {
    std::vector<isa::Operand> words;
    for (const A word : c.activations) {
      words.push_back(isa::choice(word));
    }
    run.set("activations", isa::list(words));
  }
  run.set("direction", isa::choice(c.direction));
  if (c.opcode == isa::Opcode::kLstm) {
    run.set("coupled", isa::flag(c.flag));
  } else if (c.opcode == isa::Opcode::kGru) {
    run.set("linear_before_reset", isa::flag(c.flag));
  }
  run.at_level(level);
  if (parallel != nullptr) {
    run.on(*parallel);
  }
  if (constants) {
    run.with_constants();
  }
  return run();
}

class Recurrent : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Recurrent, EveryLevelMatchesF64) {
  const RecurrentCase& c = recurrent_cases()[GetParam()];
  auto expected = run_case<double>(c, CpuLevel::kPortable, nullptr, false);
  ASSERT_TRUE(expected) << expected.error().message;
  for (const CpuLevel level : {CpuLevel::kPortable, CpuLevel::kAvx2, CpuLevel::kAvx512}) {
    if (level > detected_cpu_level()) {
      continue;
    }
    auto actual = run_case<float>(c, level, nullptr, true);
    testing::BackwardsFor backwards;
    auto threaded = run_case<float>(c, level, &backwards, false, true);
    ASSERT_TRUE(actual && threaded);
    ASSERT_EQ(actual->size(), expected->size());
    for (std::size_t i = 0; i < actual->size(); ++i) {
      const std::vector<float> values = values_of<float>((*actual)[i].view);
      const std::vector<double> numbers = values_of<double>((*expected)[i].view);
      ASSERT_EQ(values.size(), numbers.size());
      for (std::size_t j = 0; j < values.size(); ++j) {
        ASSERT_NEAR(values[j], numbers[j], 2e-5 * (1.0 + std::fabs(numbers[j])))
            << name(level) << " result " << i << " element " << j;
      }
      EXPECT_EQ(values_of<float>((*threaded)[i].view), values)
          << "threads, packing or layout change bits";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Recurrent, ::testing::Range<std::size_t>(0, 15),
                         [](const auto& which) {
                           return std::string(recurrent_cases()[which.param].name);
                         });

TEST(Recurrence, ARowHasTheSameBitsInAnyBatch) {
  RecurrentCase many = recurrent_cases()[0];
  many.batch = 5;
  auto together = run_case<float>(many, detected_cpu_level(), nullptr, true);
  ASSERT_TRUE(together);
  // The first row of a batch of one: x of step t begins at another place, so rows are laid out by hand.
  const StoredTensor all = random_tensor({many.steps, 5, many.inputs}, 1);
  const std::vector<float> x = values_of<float>(all.view);
  std::vector<float> first;
  for (std::int64_t t = 0; t < many.steps; ++t) {
    const auto begin = x.begin() + (t * 5 + 3) * many.inputs;
    first.insert(first.end(), begin, begin + many.inputs);
  }
  auto alone = OneInstruction(isa::Opcode::kLstm)
                   .tensor("x", tensor_of<float>({many.steps, 1, many.inputs}, first))
                   .tensor("weights", random_tensor({1, 64, 7}, 2))
                   .tensor("recurrence", random_tensor({1, 64, 16}, 3))
                   .tensor("bias", random_tensor({1, 128}, 4))
                   .at_level(detected_cpu_level())();
  ASSERT_TRUE(alone);
  const std::vector<float> h = values_of<float>((*together)[1].view);
  EXPECT_EQ(values_of<float>((*alone)[1].view),
            std::vector<float>(h.begin() + 3 * 16, h.begin() + 4 * 16));
}

TEST(Recurrence, RowsOfLengthZeroKeepTheirInitialState) {
  for (const isa::Direction direction : {kForward, kReverse, kBoth}) {
    const std::int64_t d = direction == kBoth ? 2 : 1;
    const StoredTensor h = random_tensor({d, 3, 4}, 5);
    auto results = OneInstruction(isa::Opcode::kGru)
                       .tensor("x", random_tensor({5, 3, 2}, 1))
                       .tensor("weights", random_tensor({d, 12, 2}, 2))
                       .tensor("recurrence", random_tensor({d, 12, 4}, 3))
                       .tensor("lengths", tensor_of<std::int32_t>({3}, {2, 0, 3}))
                       .tensor("initial_h", h)
                       .set("direction", isa::choice(direction))();
    ASSERT_TRUE(results);
    const std::vector<float> y = values_of<float>((*results)[0].view);
    const std::vector<float> y_h = values_of<float>((*results)[1].view);
    const std::vector<float> initial = values_of<float>(h.view);
    const std::int64_t lengths[] = {2, 0, 3};
    for (std::int64_t i = 0; i < 5 * d * 3 * 4; ++i) {
      const std::int64_t t = i / 4 / 3 / d;
      EXPECT_EQ(y[static_cast<std::size_t>(i)] == 0.0f, t >= lengths[i / 4 % 3]) << i;
    }
    for (std::int64_t i = 0; i < d; ++i) {
      for (std::int64_t j = 0; j < 4; ++j) {
        const auto at = static_cast<std::size_t>((i * 3 + 1) * 4 + j);
        EXPECT_EQ(y_h[at], initial[at]);
      }
    }
  }
}

TEST(Recurrence, HalvesKeepTheirStateInSinglePrecision) {
  const Half quarter{0x3400};
  auto results = OneInstruction(isa::Opcode::kRnn)
                     .tensor("x", tensor_of<Half>({2, 1, 1}, {quarter, quarter}))
                     .tensor("weights", tensor_of<Half>({1, 1, 1}, {quarter}))
                     .tensor("recurrence", tensor_of<Half>({1, 1, 1}, {quarter}))();
  ASSERT_TRUE(results);
  const double first = std::tanh(0.0625);
  const double second = std::tanh(0.0625 + 0.25 * first);
  EXPECT_NEAR(to_float(values_of<Half>((*results)[1].view)[0]), second, 4e-5);
}

TEST(Recurrence, MessagesNameBothSides) {
  auto results = OneInstruction(isa::Opcode::kLstm)
                     .tensor("x", random_tensor({2, 3, 4}, 1))
                     .tensor("weights", random_tensor({1, 20, 5}, 2))
                     .tensor("recurrence", random_tensor({1, 20, 5}, 3))();
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message, "LSTM: weights axis 2 is 5, the extent it must have is 4");
}

}  // namespace
}  // namespace pliant
