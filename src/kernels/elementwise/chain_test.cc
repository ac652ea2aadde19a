#include "kernels/elementwise/chain.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/half.h"
#include "support/backwards_for.h"
#include "support/cpu_levels.h"
#include "tensor/dtype.h"

// A chain gives the bits of its links one after the other.

namespace pliant::kernels {
namespace {

using Function = ElementwiseFunction;

/// Memory for a view of any strides, its first element in the middle.
struct Buffer {
  Buffer() = default;
  Buffer(DType dtype, const Shape& shape, const Strides& strides, unsigned seed) {
    std::int64_t low = 0;
    std::int64_t high = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const std::int64_t reach = shape[axis] == 0 ? 0 : (shape[axis] - 1) * strides[axis];
      (reach < 0 ? low : high) += reach;
    }
    const std::size_t bytes = byte_size(dtype);
    memory.resize(static_cast<std::size_t>(high - low + 1) * bytes);
    view = {nullptr, dtype, shape, strides};
    first = static_cast<std::size_t>(-low) * bytes;
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> number(-3.0f, 3.0f);
    visit_dtype(dtype, [&]<class T>(T) {
      T* const elements = reinterpret_cast<T*>(memory.data());
      for (std::size_t i = 0; i < memory.size() / bytes; ++i) {
        const float value = number(random);
        if constexpr (std::is_same_v<T, Half>) {
          elements[i] = to_half(value);
        } else if constexpr (std::is_same_v<T, BFloat16>) {
          elements[i] = to_bfloat16(value);
        } else if constexpr (std::is_same_v<T, bool>) {
          elements[i] = value > 0;
        } else {
          elements[i] = static_cast<T>(value);
        }
      }
    });
  }
  [[nodiscard]] TensorView at() {
    TensorView place = view;
    place.data = memory.data() + first;
    return place;
  }

  std::vector<std::byte> memory;
  TensorView view;
  std::size_t first = 0;
};

struct Link {
  Function function;
  DType operands;  ///< what find_elementwise_loop is asked for
  DType result;
  std::vector<int> inputs;
  double alpha = 0;
  double beta = 0;
};

struct ChainCase {
  std::string name;
  std::vector<DType> operands;
  std::vector<Link> links;
  std::vector<int> results;
};

constexpr DType kF32 = DType::kF32;
constexpr DType kF16 = DType::kF16;
constexpr DType kBF16 = DType::kBF16;
constexpr DType kI64 = DType::kI64;
constexpr DType kBool = DType::kBool;

/// x + bias, activation, residual.
ChainCase dense_layer(DType dtype) {
  return {"dense layer of " + std::string(name(dtype)),
          {dtype, dtype, dtype},
          {{Function::kAdd, dtype, dtype, {0, 1}},
           {Function::kGelu, dtype, dtype, {3}},
           {Function::kAdd, dtype, dtype, {4, 2}}},
          {2}};
}

std::vector<ChainCase> chain_cases() {
  return {
      dense_layer(kF32),
      dense_layer(kF16),
      dense_layer(kBF16),
      dense_layer(DType::kF64),
      {"one link", {kF32}, {{Function::kTangent, kF32, kF32, {0}}}, {0}},
      {"the operand read again after the result",
       {kF32, kF32, kF32},
       {{Function::kMultiply, kF32, kF32, {0, 1}},
        {Function::kSubtract, kF32, kF32, {3, 0}},
        {Function::kMaximum, kF32, kF32, {4, 2}},
        {Function::kLeakyRelu, kF32, kF32, {5}, 0.25}},
       {0, 2, 3}},
      {"comparison and selection",
       {kF32, kF32, kF16},
       {{Function::kLess, kF32, kBool, {0, 1}},
        {Function::kSelect, kF32, kF32, {3, 0, 1}},
        {Function::kIsNan, kF16, kBool, {2}},
        {Function::kOr, kBool, kBool, {5, 3}},
        {Function::kSelect, kF16, kF16, {6, 2, 2}}},
       {1, 3, 4}},
      {"whole numbers",
       {kI64, kI64, kI64},
       {{Function::kAdd, kI64, kI64, {0, 1}},
        {Function::kMultiply, kI64, kI64, {3, 2}},
        {Function::kGreater, kI64, kBool, {4, 1}},
        {Function::kClip, kI64, kI64, {4, 1, 2}},
        {Function::kPower, kI64, kI64, {6, 2}}},
       {2, 4}},
      {"everything from the small operands",
       {kF32, kF32, kF32},
       {{Function::kMultiply, kF32, kF32, {1, 1}},
        {Function::kExponential, kF32, kF32, {3}},
        {Function::kMultiplyAdd, kF32, kF32, {0, 4, 2}}},
       {0, 2}},
      {"all rounded",
       {kBF16, kF32, kBF16},
       {{Function::kSwish, kBF16, kBF16, {0}, 1.5},
        {Function::kMultiply, kBF16, kBF16, {3, 2}},
        {Function::kHardSigmoid, kBF16, kBF16, {4}, 0.2, 0.5},
        {Function::kDivide, kBF16, kBF16, {5, 0}}},
       {1, 3}},
  };
}

struct StrideCase {
  std::string name;
  Shape shape;
  Strides operands[3];
  Strides result;
};

const StrideCase kStrideCases[] = {
    {"one element", {1}, {{1}, {1}, {1}}, {1}},
    {"rank 0", {}, {{}, {}, {}}, {}},
    {"empty", {3, 0}, {{0, 1}, {0, 1}, {0, 0}}, {1, 1}},
    // Strips have 512 elements of 8 bytes or 1024 of 4.
    {"a strip less one", {511}, {{1}, {1}, {1}}, {1}},
    {"a strip", {512}, {{1}, {0}, {1}}, {1}},
    {"a strip and one", {513}, {{1}, {1}, {0}}, {1}},
    {"two strips less one", {1023}, {{1}, {1}, {1}}, {1}},
    {"two strips", {1024}, {{-1}, {1}, {2}}, {1}},
    {"two strips and one", {1025}, {{0}, {1}, {1}}, {3}},
    {"bias over long rows", {7, 700}, {{700, 1}, {0, 1}, {700, 1}}, {700, 1}},
    {"bias over short rows", {90, 7}, {{7, 1}, {0, 1}, {7, 1}}, {7, 1}},
    {"column", {9, 70}, {{70, 1}, {1, 0}, {0, 0}}, {70, 1}},
    {"column of short rows", {600, 5}, {{5, 1}, {1, 0}, {0, 0}}, {5, 1}},
    {"transposed", {33, 34}, {{34, 1}, {1, 33}, {34, 1}}, {34, 1}},
    {"transposed result", {33, 40}, {{1, 33}, {40, 1}, {0, 1}}, {1, 33}},
    {"channels-last",
     {2, 3, 24, 5},
     {{360, 1, 15, 3}, {0, 1, 0, 0}, {360, 120, 5, 1}},
     {360, 1, 15, 3}},
    {"negative", {5, 140}, {{-140, -1}, {140, -1}, {-140, 1}}, {140, 1}},
    {"result with gaps", {5, 140}, {{140, 1}, {140, 1}, {0, 1}}, {300, 2}},
    {"short result rows with gaps", {50, 14}, {{14, 1}, {14, 1}, {0, 1}}, {40, 2}},
    {"only small operands", {12, 50}, {{0, 0}, {0, 0}, {0, 0}}, {50, 1}},
    {"outer product", {40, 41}, {{1, 0}, {0, 1}, {0, 0}}, {41, 1}},
    {"for several threads", {60, 1000}, {{1000, 1}, {0, 1}, {1000, 1}}, {1000, 1}},
    {"for several threads, dense", {40011}, {{1}, {1}, {0}}, {1}},
};

Chain make_chain(const ChainCase& test, CpuLevel level) {
  std::vector<ChainLink> links;
  for (const Link& link : test.links) {
    ChainLink made{.loop = find_elementwise_loop(link.function, link.operands, level),
                   .result = link.result,
                   .alpha = link.alpha,
                   .beta = link.beta};
    std::copy(link.inputs.begin(), link.inputs.end(), made.inputs);
    links.push_back(made);
  }
  std::optional<Chain> chain = Chain::make(test.operands, links, test.results, level);
  EXPECT_TRUE(chain.has_value());
  return *std::move(chain);
}

/// The links one by one; the values of all of them, row-major.
std::vector<Buffer> one_by_one(const ChainCase& test, std::vector<Buffer>& operands,
                               const Shape& shape, CpuLevel level) {
  std::vector<Buffer> values;
  values.reserve(test.links.size());
  SerialFor serial;
  for (const Link& link : test.links) {
    TensorView inputs[kMaxElementwiseInputs];
    for (std::size_t i = 0; i < link.inputs.size(); ++i) {
      const auto source = static_cast<std::size_t>(link.inputs[i]);
      inputs[i] =
          source < operands.size() ? operands[source].at() : values[source - operands.size()].at();
    }
    values.emplace_back(link.result, shape, contiguous_strides(shape), 1u);
    ElementwiseArguments arguments =
        make_elementwise(find_elementwise_loop(link.function, link.operands, level), inputs,
                         values.back().at(), level);
    arguments.alpha = link.alpha;
    arguments.beta = link.beta;
    elementwise(arguments, {serial, nullptr, level});
  }
  return values;
}

void expect_same(const TensorView& actual, const TensorView& expected) {
  const auto bytes = static_cast<std::int64_t>(byte_size(actual.dtype));
  ASSERT_EQ(actual.dtype, expected.dtype);
  for (std::int64_t i = 0; i < actual.element_count(); ++i) {
    std::int64_t rest = i;
    std::int64_t a = 0;
    std::int64_t b = 0;
    for (std::size_t axis = actual.shape.size(); axis-- > 0;) {
      const std::int64_t index = rest % actual.shape[axis];
      rest /= actual.shape[axis];
      a += index * actual.strides[axis];
      b += index * expected.strides[axis];
    }
    ASSERT_EQ(0, std::memcmp(actual.as<std::byte>() + a * bytes,
                             expected.as<std::byte>() + b * bytes, static_cast<std::size_t>(bytes)))
        << "element " << i;
  }
}

struct Prepared {
  Prepared(const ChainCase& chain_case, const StrideCase& strides) {
    for (std::size_t i = 0; i < chain_case.operands.size(); ++i) {
      operands.emplace_back(chain_case.operands[i], strides.shape, strides.operands[i],
                            static_cast<unsigned>(i));
    }
    for (const int link : chain_case.results) {
      results.emplace_back(chain_case.links[static_cast<std::size_t>(link)].result, strides.shape,
                           strides.result, 99u);
    }
  }
  std::vector<TensorView> views(std::vector<Buffer>& buffers) {
    std::vector<TensorView> all;
    for (Buffer& buffer : buffers) {
      all.push_back(buffer.at());
    }
    return all;
  }
  std::vector<Buffer> operands;
  std::vector<Buffer> results;
};

TEST(ElementwiseChain, GivesTheBitsOfItsLinksOneByOne) {
  for (const CpuLevel level : testing::cpu_levels()) {
    for (const ChainCase& test : chain_cases()) {
      const Chain chain = make_chain(test, level);
      for (const StrideCase& strides : kStrideCases) {
        SCOPED_TRACE(test.name + ", " + strides.name + ", " + std::string(name(level)));
        Prepared prepared(test, strides);
        std::vector<Buffer> expected = one_by_one(test, prepared.operands, strides.shape, level);
        const ChainArguments arguments = make_elementwise_chain(
            chain, prepared.views(prepared.operands), prepared.views(prepared.results));
        SerialFor serial;
        testing::BackwardsFor backwards(777);
        for (ParallelFor* parallel :
             {static_cast<ParallelFor*>(&serial), static_cast<ParallelFor*>(&backwards)}) {
          for (std::size_t r = 0; r < test.results.size(); ++r) {
            std::fill(prepared.results[r].memory.begin(), prepared.results[r].memory.end(),
                      std::byte{1});
          }
          elementwise_chain(arguments, {*parallel, nullptr, level});
          for (std::size_t r = 0; r < test.results.size(); ++r) {
            SCOPED_TRACE(r);
            expect_same(prepared.results[r].at(),
                        expected[static_cast<std::size_t>(test.results[r])].at());
          }
        }
      }
    }
  }
}

TEST(ElementwiseChain, TouchesNothingBetweenItsResults) {
  const CpuLevel level = detected_cpu_level();
  const ChainCase test = dense_layer(kF32);
  const Chain chain = make_chain(test, level);
  const Shape shape = {5, 40};
  std::vector<float> memory(5 * 100, 7.0f);
  std::vector<float> zeros(200, 0.0f);
  const TensorView zero{zeros.data(), kF32, shape, {40, 1}};
  const TensorView result{memory.data(), kF32, shape, {100, 2}};
  SerialFor serial;
  elementwise_chain(make_elementwise_chain(chain, std::vector{zero, zero, zero}, {&result, 1}),
                    {serial, nullptr, level});
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const bool written = i % 100 < 80 && i % 2 == 0;
    ASSERT_EQ(memory[i], written ? 0.0f : 7.0f) << i;
  }
}

TEST(ElementwiseChain, MayWriteItsResultOverAnyOperand) {
  const CpuLevel level = detected_cpu_level();
  for (const ChainCase& test : chain_cases()) {
    const Chain chain = make_chain(test, level);
    for (const StrideCase& strides : kStrideCases) {
      for (std::size_t i = 0; i < test.operands.size(); ++i) {
        for (std::size_t r = 0; r < test.results.size(); ++r) {
          Prepared prepared(test, strides);
          const DType dtype = prepared.results[r].view.dtype;
          if (!(strides.operands[i] == strides.result) ||
              byte_size(test.operands[i]) != byte_size(dtype)) {
            continue;
          }
          SCOPED_TRACE(test.name + ", " + strides.name + ", operand " + std::to_string(i) +
                       ", result " + std::to_string(r));
          std::vector<Buffer> expected = one_by_one(test, prepared.operands, strides.shape, level);
          std::vector<TensorView> results = prepared.views(prepared.results);
          results[r].data = prepared.operands[i].at().data;
          testing::BackwardsFor parallel;
          elementwise_chain(
              make_elementwise_chain(chain, prepared.views(prepared.operands), results),
              {parallel, nullptr, level});
          for (std::size_t k = 0; k < test.results.size(); ++k) {
            expect_same(results[k], expected[static_cast<std::size_t>(test.results[k])].at());
          }
        }
      }
    }
  }
}

TEST(ElementwiseChain, RunsOnBlocksOfMatrices) {
  const CpuLevel level = detected_cpu_level();
  for (const ChainCase& test : chain_cases()) {
    const Chain chain = make_chain(test, level);
    for (const StrideCase& strides : kStrideCases) {
      if (strides.shape.size() != 2 || element_count(strides.shape) == 0) {
        continue;
      }
      SCOPED_TRACE(test.name + ", " + strides.name);
      Prepared prepared(test, strides);
      std::vector<Buffer> expected = one_by_one(test, prepared.operands, strides.shape, level);
      const auto matrix = [](Buffer& buffer) {
        return ChainMatrix{buffer.at().as<std::byte>(), buffer.view.strides[0],
                           buffer.view.strides[1]};
      };
      std::vector<ChainMatrix> operands;
      std::vector<ChainMatrix> results;
      for (Buffer& buffer : prepared.operands) {
        operands.push_back(matrix(buffer));
      }
      for (Buffer& buffer : prepared.results) {
        results.push_back(matrix(buffer));
      }
      elementwise_chain_on_block(chain, operands.data(), results.data(), strides.shape[0],
                                 strides.shape[1]);
      for (std::size_t r = 0; r < test.results.size(); ++r) {
        expect_same(prepared.results[r].at(),
                    expected[static_cast<std::size_t>(test.results[r])].at());
      }
    }
  }
}

TEST(ElementwiseChain, TakesAsManyLinksAndOperandsAsItSays) {
  const CpuLevel level = CpuLevel::kPortable;
  const auto sum_of = [&](int operand_count) {
    const std::vector<DType> operands(static_cast<std::size_t>(operand_count), kF32);
    std::vector<ChainLink> links;
    for (int i = 0; i + 1 < operand_count; ++i) {
      ChainLink link{.loop = find_elementwise_loop(Function::kAdd, kF32, level)};
      link.inputs[0] = i == 0 ? 0 : operand_count + i - 1;
      link.inputs[1] = i + 1;
      links.push_back(link);
    }
    const int result[] = {operand_count - 2};
    return Chain::make(operands, links, result, level).has_value();
  };
  EXPECT_TRUE(sum_of(kMaxChainOperands));
  EXPECT_FALSE(sum_of(kMaxChainOperands + 1));

  const auto roots = [&](int count, std::vector<int> results) {
    std::vector<ChainLink> links;
    for (int i = 0; i < count; ++i) {
      ChainLink link{.loop = find_elementwise_loop(Function::kSquareRoot, kF16, level),
                     .result = kF16};
      link.inputs[0] = i;
      links.push_back(link);
    }
    const DType operand[] = {kF16};
    return Chain::make(operand, links, results, level).has_value();
  };
  EXPECT_TRUE(roots(kMaxChainLinks, {kMaxChainLinks - 1}));
  EXPECT_FALSE(roots(kMaxChainLinks + 1, {0}));
  EXPECT_TRUE(roots(5, {0, 1, 2, 3}));
  EXPECT_FALSE(roots(5, {0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace pliant::kernels
