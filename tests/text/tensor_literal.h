#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/result.h>
#include <pliant/tensor.h>

namespace pliant::testing {

/// `name = value` of a run or an expectation, its value still as words.
struct Literal {
  enum class Form { kListed, kZeros, kOnes, kIota, kRandom, kFull };
  Form form = Form::kListed;
  std::vector<std::int64_t> shape;
  std::vector<std::string> values;  ///< kListed: one each; kFull: one
  std::uint64_t seed = 0;           ///< kRandom
};

/// How an expected value is compared.
enum class Comparison { kExact, kClose };

struct Assignment {
  std::string name;
  Comparison comparison = Comparison::kExact;
  Literal value;
};

/// Reads `a=[[1 2] [3 4]] b=zeros[0, 4] c~=1.5`. Errors are kSyntax.
[[nodiscard]] Result<std::vector<Assignment>> parse_assignments(std::string_view text);

/// The tensor that a literal means in an element type. random() gives floats in [-1, 1), integers in
/// -8..7 (unsigned: 0..15) and both bools, from splitmix64. Errors: kSyntax for a value of another
/// type.
[[nodiscard]] Result<Tensor> make_tensor(const Literal& literal, DType dtype);

/// Empty when they agree, else words that say where they do not. NaN equals NaN.
[[nodiscard]] std::string difference(const Tensor& actual, const Tensor& expected,
                                     Comparison comparison);

}  // namespace pliant::testing
