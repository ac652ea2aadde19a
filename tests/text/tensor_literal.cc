#include "text/tensor_literal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/result.h"
#include "support/as_double.h"
#include "tensor/dtype.h"
#include "text/names.h"
#include "text/numbers.h"

namespace pliant::testing {
namespace {

/// Reads literals from left to right.
class LiteralParser {
 public:
  explicit LiteralParser(std::string_view text) : text_(text) {}

  Result<std::vector<Assignment>> assignments();

 private:
  Result<std::string> name();
  Result<Literal> literal();
  Result<Literal> listed();
  Status nested(Literal& literal, std::size_t depth);
  Result<std::vector<std::int64_t>> shape();
  Result<std::string> argument();

  void skip_blank() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) {
      ++position_;
    }
  }
  bool accept(std::string_view expected) {
    skip_blank();
    if (!text_.substr(position_).starts_with(expected)) {
      return false;
    }
    position_ += expected.size();
    return true;
  }
  std::string word() {
    skip_blank();
    const std::size_t end = std::min(text_.find_first_of(" \t[](),=~", position_), text_.size());
    const std::string_view found = text_.substr(position_, end - position_);
    position_ = end;
    return std::string(found);
  }
  [[nodiscard]] Error error(std::string_view expected) const {
    return make_error(ErrorCode::kSyntax, "expected {} at `{}`", expected, text_.substr(position_));
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

Result<std::vector<Assignment>> LiteralParser::assignments() {
  std::vector<Assignment> all;
  for (skip_blank(); position_ < text_.size(); skip_blank()) {
    Assignment assignment;
    PLIANT_ASSIGN_OR_RETURN(assignment.name, name());
    assignment.comparison = accept("~") ? Comparison::kClose : Comparison::kExact;
    if (!accept("=")) {
      return error("`=`");
    }
    PLIANT_ASSIGN_OR_RETURN(assignment.value, literal());
    all.push_back(std::move(assignment));
  }
  return all;
}

Result<std::string> LiteralParser::name() {
  if (!accept("\"")) {
    std::string bare = word();
    return bare.empty() ? Result<std::string>(error("a name")) : Result<std::string>(bare);
  }
  std::size_t end = position_;
  while (end < text_.size() && text_[end] != '"') {
    end += text_[end] == '\\' ? 2 : 1;
  }
  const auto quoted = text_.substr(position_, end - position_);
  const auto unescaped = text::unescape(quoted);
  if (end >= text_.size() || !unescaped) {
    return error("a quoted name");
  }
  position_ = end + 1;
  return *unescaped;
}

Result<Literal> LiteralParser::literal() {
  static constexpr std::pair<std::string_view, Literal::Form> kForms[] = {
      {"zeros", Literal::Form::kZeros}, {"ones", Literal::Form::kOnes},
      {"iota", Literal::Form::kIota},   {"random", Literal::Form::kRandom},
      {"full", Literal::Form::kFull},
  };
  for (const auto& [keyword, form] : kForms) {
    if (!accept(keyword)) {
      continue;
    }
    Literal result;
    result.form = form;
    if (form == Literal::Form::kRandom || form == Literal::Form::kFull) {
      PLIANT_ASSIGN_OR_RETURN(const std::string value, argument());
      result.values = {value};
      result.seed = text::parse_unsigned(value).value_or(0);
    }
    PLIANT_ASSIGN_OR_RETURN(result.shape, shape());
    return result;
  }
  return listed();
}

Result<std::string> LiteralParser::argument() {
  if (!accept("(")) {
    return error("`(`");
  }
  std::string value = word();
  return accept(")") ? Result<std::string>(std::move(value)) : error("`)`");
}

Result<std::vector<std::int64_t>> LiteralParser::shape() {
  std::vector<std::int64_t> extents;
  if (!accept("[")) {
    return error("a shape such as `[2, 3]`");
  }
  while (!accept("]")) {
    const auto extent = text::parse_whole(word());
    if (!extent || *extent < 0) {
      return error("an extent");
    }
    extents.push_back(*extent);
    accept(",");
  }
  return extents;
}

Result<Literal> LiteralParser::listed() {
  Literal result;
  if (accept("[")) {
    PLIANT_RETURN_IF_ERROR(nested(result, 0));
    std::int64_t count = 1;
    for (const std::int64_t extent : result.shape) {
      count *= extent;
    }
    if (count != static_cast<std::int64_t>(result.values.size())) {
      return error("lists of one length");
    }
    return result;
  }
  std::string value = word();
  if (value.empty()) {
    return error("a value");
  }
  result.values.push_back(std::move(value));
  return result;
}

/// Behind an opening bracket, at its depth.
Status LiteralParser::nested(Literal& literal, std::size_t depth) {
  if (literal.shape.size() == depth) {
    literal.shape.push_back(-1);
  }
  std::int64_t count = 0;
  while (!accept("]")) {
    if (accept("[")) {
      PLIANT_RETURN_IF_ERROR(nested(literal, depth + 1));
    } else {
      std::string value = word();
      if (value.empty()) {
        return error("a value");
      }
      literal.values.push_back(std::move(value));
    }
    accept(",");
    ++count;
  }
  std::int64_t& extent = literal.shape[depth];
  if (extent >= 0 && extent != count) {
    return error("lists of one length");
  }
  extent = count;
  return {};
}

/// splitmix64, as `seeded` in assembly.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::string random_value(DType dtype, std::uint64_t& state) {
  const std::uint64_t bits = next_random(state);
  switch (dtype_class(dtype)) {
    case DTypeClass::kFloat:
      return fmt::format("{}", static_cast<float>(bits >> 40) * 0x1p-23f - 1.0f);
    case DTypeClass::kSigned:
      return fmt::format("{}", static_cast<int>(bits >> 60) - 8);
    case DTypeClass::kUnsigned:
      return fmt::format("{}", bits >> 60);
    case DTypeClass::kBoolean:
      return bits >> 63 != 0 ? "true" : "false";
  }
  return "";
}

std::string value_of(const Literal& literal, DType dtype, std::size_t i, std::uint64_t& state) {
  const bool boolean = dtype == DType::kBool;
  switch (literal.form) {
    case Literal::Form::kListed:
      return literal.values[i];
    case Literal::Form::kZeros:
      return boolean ? "false" : "0";
    case Literal::Form::kOnes:
      return boolean ? "true" : "1";
    case Literal::Form::kIota:
      return fmt::format("{}", i);
    case Literal::Form::kRandom:
      return random_value(dtype, state);
    case Literal::Form::kFull:
      return literal.values[0];
  }
  return "";
}

/// Relative tolerance of `~=`: what one rounding costs in the type, for f32 and wider 1e-5.
double relative_tolerance(DType dtype) {
  if (dtype == DType::kF16) {
    return 2e-3;
  }
  return dtype == DType::kBF16 ? 2e-2 : 1e-5;
}

template <class T>
bool agree(T actual, T expected, DType dtype, Comparison comparison) {
  if constexpr (std::is_integral_v<T>) {
    return actual == expected;
  } else {
    const double a = as_double(actual);
    const double b = as_double(expected);
    if (std::isnan(a) || std::isnan(b)) {
      return std::isnan(a) && std::isnan(b);
    }
    if (comparison == Comparison::kExact || std::isinf(a) || std::isinf(b)) {
      return a == b;
    }
    constexpr double kAbsolute = 1e-6;
    return std::abs(a - b) <= kAbsolute + relative_tolerance(dtype) * std::abs(b);
  }
}

}  // namespace

Result<std::vector<Assignment>> parse_assignments(std::string_view text) {
  return LiteralParser(text).assignments();
}

Result<Tensor> make_tensor(const Literal& literal, DType dtype) {
  PLIANT_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(dtype, literal.shape));
  auto* data = static_cast<std::byte*>(tensor.mutable_data());
  std::uint64_t state = literal.seed;
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
    const auto index = static_cast<std::size_t>(i);
    const std::string value = value_of(literal, dtype, index, state);
    if (!text::parse_element(value, dtype, data + index * byte_size(dtype))) {
      return make_error(ErrorCode::kSyntax, "not a value of type {}: `{}`", name(dtype), value);
    }
  }
  return tensor;
}

std::string difference(const Tensor& actual, const Tensor& expected, Comparison comparison) {
  if (actual.shape() != expected.shape()) {
    return fmt::format("shape is [{}], expected [{}]", fmt::join(actual.shape(), ", "),
                       fmt::join(expected.shape(), ", "));
  }
  return visit_dtype(expected.dtype(), [&](auto type) -> std::string {
    using T = decltype(type);
    const auto a = actual.values<T>();
    const auto b = expected.values<T>();
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (!agree(a[i], b[i], expected.dtype(), comparison)) {
        const auto text_of = [&](const T& value) {
          return text::element_text(expected.dtype(), reinterpret_cast<const std::byte*>(&value));
        };
        std::vector<std::string> all;
        for (std::size_t j = 0; j < std::min<std::size_t>(a.size(), 64); ++j) {
          all.push_back(text_of(a[j]));
        }
        return fmt::format("element {} is {}, expected {}; all: {}", i, text_of(a[i]),
                           text_of(b[i]), fmt::join(all, " "));
      }
    }
    return "";
  });
}

}  // namespace pliant::testing
