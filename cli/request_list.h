#pragma once

#include <string>
#include <vector>

#include <pliant/result.h>

#include "cli/assignments.h"

namespace pliant::cli {

/// Reads a list of requests: one line per request with the extents of its symbols, "batch=1,seq=37".
/// Empty lines, and what follows a `#`, are left out.
///
/// Errors: kIo; kInvalidArgument for a line that is no list of sizes. `where` is file:line:column.
[[nodiscard]] Result<std::vector<Sizes>> read_requests(const std::string& path);

}  // namespace pliant::cli
