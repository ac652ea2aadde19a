#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/dtype.h>
#include <pliant/result.h>

namespace pliant::cli {

/// What the header of a .npy file says.
struct NpyHeader {
  DType dtype = DType::kF32;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Reads the text of a header: a Python dictionary with the keys descr, fortran_order and shape.
/// Errors: kCorrupt, kUnsupported; they do not name the file.
[[nodiscard]] Result<NpyHeader> parse_npy_header(std::string_view text);

/// The text of a header, without padding.
[[nodiscard]] std::string npy_header_text(DType dtype, const std::vector<std::int64_t>& shape);

}  // namespace pliant::cli
