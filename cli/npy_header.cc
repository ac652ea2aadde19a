#include "cli/npy_header.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace pliant::cli {
namespace {

constexpr std::string_view kNumpyCodes[] = {
#define PLIANT_DTYPE(Name, text, Type, bytes, numpy, ...) numpy,
#include <pliant/dtypes.def>
};

Error corrupt(std::string message) {
  return {ErrorCode::kCorrupt, std::move(message), {}};
}

/// Reads the literals that occur in headers, left to right.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  bool accept(std::string_view token) {
    skip_spaces();
    if (!rest_.starts_with(token)) {
      return false;
    }
    rest_.remove_prefix(token.size());
    return true;
  }

  std::optional<std::string_view> string() {
    skip_spaces();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) {
      return std::nullopt;
    }
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    const std::string_view value = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return value;
  }

  std::optional<std::int64_t> number() {
    skip_spaces();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) {
      return std::nullopt;
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    accept("L");  // Python 2 wrote long integers so
    return value;
  }

  [[nodiscard]] bool at_end() {
    skip_spaces();
    return rest_.empty();
  }

 private:
  void skip_spaces() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t')) {
      rest_.remove_prefix(1);
    }
  }

  std::string_view rest_;
};

Result<DType> dtype_of(std::string_view descr) {
  const std::string_view code = descr.empty() ? descr : descr.substr(1);
  for (std::size_t i = 0; i < std::size(kNumpyCodes); ++i) {
    if (kNumpyCodes[i] != code) {
      continue;
    }
    const auto dtype = static_cast<DType>(i);
    const char order = descr[0];
    if (order == '<' || order == '|' || order == '=' || byte_size(dtype) == 1) {
      return dtype;
    }
    return Error{ErrorCode::kUnsupported,
                 fmt::format("elements must be little-endian, their type is '{}'", descr),
                 {}};
  }
  return Error{
      ErrorCode::kUnsupported, fmt::format("elements have an unknown type '{}'", descr), {}};
}

Status parse_shape(HeaderParser& parser, std::vector<std::int64_t>& shape) {
  if (!parser.accept("(")) {
    return corrupt("the header's shape is not a tuple");
  }
  bool closed = parser.accept(")");
  while (!closed) {
    const auto extent = parser.number();
    if (!extent || *extent < 0) {
      return corrupt("the header's shape has an extent that is not a number >= 0");
    }
    shape.push_back(*extent);
    if (shape.size() > 32) {  // NumPy's own limit
      return corrupt("the header's shape has more than 32 axes");
    }
    const bool comma = parser.accept(",");
    closed = parser.accept(")");
    if (!comma && !closed) {
      return corrupt("the header's shape is not a tuple");
    }
  }
  return {};
}

}  // namespace

Result<NpyHeader> parse_npy_header(std::string_view text) {
  HeaderParser parser(text);
  NpyHeader header;
  bool has_descr = false;
  bool has_order = false;
  bool has_shape = false;
  if (!parser.accept("{")) {
    return corrupt("the header is not a dictionary");
  }
  bool closed = parser.accept("}");
  while (!closed) {
    const auto key = parser.string();
    if (!key || !parser.accept(":")) {
      return corrupt("the header is not a dictionary");
    }
    if (*key == "descr") {
      const auto descr = parser.string();
      if (!descr) {
        return Error{ErrorCode::kUnsupported, "elements are records, not numbers", {}};
      }
      auto dtype = dtype_of(*descr);
      if (!dtype) {
        return dtype.error();
      }
      header.dtype = *dtype;
      has_descr = true;
    } else if (*key == "fortran_order") {
      header.fortran_order = parser.accept("True");
      if (!header.fortran_order && !parser.accept("False")) {
        return corrupt("the header's fortran_order is neither True nor False");
      }
      has_order = true;
    } else if (*key == "shape") {
      if (has_shape) {
        return corrupt("the header has two shapes");
      }
      if (Status status = parse_shape(parser, header.shape); !status) {
        return status.error();
      }
      has_shape = true;
    } else {
      return corrupt(fmt::format("the header has an unknown key '{}'", *key));
    }
    const bool comma = parser.accept(",");
    closed = parser.accept("}");
    if (!comma && !closed) {
      return corrupt("the header is not a dictionary");
    }
  }
  if (!parser.at_end()) {
    return corrupt("the header goes on after its dictionary");
  }
  if (!has_descr || !has_order || !has_shape) {
    return corrupt("the header lacks descr, fortran_order or shape");
  }
  return header;
}

std::string npy_header_text(DType dtype, const std::vector<std::int64_t>& shape) {
  std::string extents;
  for (const std::int64_t extent : shape) {
    extents += fmt::format("{}, ", extent);
  }
  if (shape.size() > 1) {
    extents.resize(extents.size() - 2);
  } else if (shape.size() == 1) {
    extents.pop_back();  // a tuple of one element keeps its comma
  }
  return fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                     byte_size(dtype) == 1 ? '|' : '<',
                     kNumpyCodes[static_cast<std::size_t>(dtype)], extents);
}

}  // namespace pliant::cli
