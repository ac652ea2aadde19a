#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <pliant/model.h>

namespace pliant::cli {

/// Writes `parts` one after another to a file that is complete or absent: it is written under a
/// name beside `path` and moved there at the end, so an existing file stays whole until then.
///
/// Errors: kInvalidArgument when the file exists and `existing` refuses that; kIo with the path and
/// the system's words.
[[nodiscard]] Status write_complete_file(const std::string& path,
                                         std::initializer_list<std::string_view> parts,
                                         Model::Existing existing);

}  // namespace pliant::cli
