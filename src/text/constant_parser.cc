#include "text/constant_parser.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <vector>

#include "tensor/dtype.h"
#include "text/numbers.h"

namespace pliant::text {
namespace {

std::optional<Shape> parse_shape(TokenStream& tokens) {
  if (!tokens.expect("[")) {
    return std::nullopt;
  }
  Shape shape;
  if (tokens.accept("]")) {
    return shape;
  }
  do {
    const Token token = tokens.current();
    const auto extent = parse_whole(token.text);
    if (token.kind != TokenKind::kWhole || !extent || *extent < 0) {
      tokens.fail_expected("an extent");
      return std::nullopt;
    }
    if (shape.size() == kMaxRank) {
      tokens.fail(token, fmt::format("a shape has at most {} axes", kMaxRank));
      return std::nullopt;
    }
    shape.push_back(*extent);
    tokens.take();
  } while (tokens.accept(","));
  return tokens.expect("]") ? std::optional(shape) : std::nullopt;
}

/// Appends one value to `bytes`.
bool parse_value(TokenStream& tokens, DType dtype, std::vector<std::byte>& bytes) {
  std::array<std::byte, 8> element{};
  const Token token = tokens.current();
  bool understood = false;
  if (token.text == "bits") {
    tokens.take();
    if (!tokens.expect("(")) {
      return false;
    }
    understood = parse_element_bits(tokens.current().text, dtype, element.data());
  } else {
    understood = parse_element(token.text, dtype, element.data());
  }
  if (!understood) {
    return tokens.fail_expected(fmt::format("a value of type {}", name(dtype)));
  }
  tokens.take();
  bytes.insert(bytes.end(), element.begin(),
               element.begin() + static_cast<std::ptrdiff_t>(byte_size(dtype)));
  return token.text != "bits" || tokens.expect(")");
}

/// `{1, 2, 3}`, over several lines if it likes.
bool parse_listed(TokenStream& tokens, DType dtype, std::vector<std::byte>& bytes) {
  tokens.skip_newlines();
  if (tokens.current().is("...")) {
    return tokens.fail(tokens.current(),
                       "the values of this constant were left out when it was printed");
  }
  while (!tokens.accept("}")) {
    if (!parse_value(tokens, dtype, bytes)) {
      return false;
    }
    tokens.skip_newlines();
    if (!tokens.accept(",") && !tokens.current().is("}")) {
      return tokens.fail_expected("`,` or `}`");
    }
    tokens.skip_newlines();
  }
  return true;
}

bool fill_all(TokenStream& tokens, const TensorView& view) {
  std::vector<std::byte> value;
  if (!tokens.expect("(") || !parse_value(tokens, view.dtype, value) || !tokens.expect(")")) {
    return false;
  }
  auto* out = view.as<std::byte>();
  for (std::int64_t i = 0; i < view.element_count(); ++i) {
    std::memcpy(out + static_cast<std::size_t>(i) * value.size(), value.data(), value.size());
  }
  return true;
}

std::optional<std::uint64_t> parse_seed(TokenStream& tokens) {
  if (!tokens.expect("(")) {
    return std::nullopt;
  }
  const auto seed = parse_unsigned(tokens.current().text);
  if (!seed) {
    tokens.fail_expected("a seed");
    return std::nullopt;
  }
  tokens.take();
  return tokens.expect(")") ? seed : std::nullopt;
}

}  // namespace

std::optional<DType> parse_dtype(TokenStream& tokens) {
  const auto dtype = dtype_from_name(tokens.current().text);
  if (dtype) {
    tokens.take();
  } else {
    tokens.fail_expected("an element type");
  }
  return dtype;
}

std::optional<Constant> parse_constant(TokenStream& tokens, std::size_t& bytes_left) {
  const Token start = tokens.current();
  const auto dtype = parse_dtype(tokens);
  const auto shape = dtype ? parse_shape(tokens) : std::nullopt;
  if (!shape || !tokens.expect("=")) {
    return std::nullopt;
  }
  const Token values = tokens.current();
  const auto count = checked_element_count(*shape);
  const std::size_t element_bytes = byte_size(*dtype);
  if (!count || static_cast<std::uint64_t>(*count) > bytes_left / element_bytes) {
    tokens.fail(start, fmt::format("the constants have too many elements: {}", to_string(*shape)),
                ErrorCode::kResourceExhausted);
    return std::nullopt;
  }
  bytes_left -= static_cast<std::size_t>(*count) * element_bytes;
  Constant constant;
  if (tokens.accept("{")) {
    std::vector<std::byte> bytes;
    if (!parse_listed(tokens, *dtype, bytes)) {
      return std::nullopt;
    }
    if (bytes.size() / element_bytes != static_cast<std::size_t>(*count)) {
      tokens.fail(values, fmt::format("shape {} has {} elements, found {} values",
                                      to_string(*shape), *count, bytes.size() / element_bytes));
      return std::nullopt;
    }
    constant.value = make_constant(*dtype, *shape);
    if (!bytes.empty()) {
      std::memcpy(constant.value.view.data, bytes.data(), bytes.size());
    }
    return constant;
  }
  if (values.text == "full") {
    tokens.take();
    constant.value = make_constant(*dtype, *shape);
    return fill_all(tokens, constant.value.view) ? std::optional(std::move(constant))
                                                 : std::nullopt;
  }
  if (values.text == "seeded") {
    tokens.take();
    if (*dtype != DType::kF32) {
      tokens.fail(values, fmt::format("seeded() makes f32, this constant is {}", name(*dtype)));
      return std::nullopt;
    }
    constant.seed = parse_seed(tokens);
    if (!constant.seed) {
      return std::nullopt;
    }
    constant.value = make_constant(*dtype, *shape);
    fill_seeded(constant.value.view, *constant.seed);
    return constant;
  }
  tokens.fail_expected("`{`, `full` or `seeded`");
  return std::nullopt;
}

}  // namespace pliant::text
