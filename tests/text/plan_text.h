#pragma once

#include <string>

#include <pliant/result.h>

namespace pliant::testing {

/// Lines that say what the plan compiler makes of a program whose ranks are all known.
///
/// `passes` are what a `; plan` line of a case names: passes in the order in which they run on the
/// captured graph, with a space between them; `specialise(batch=1, seq=2..16)` has the intervals of
/// the entries that are narrowed. `all` stands for everything that is done for any size, groups
/// included, and `emitted` for the plan that comes out of it. Errors: kSyntax; kInvalidArgument for
/// a program that cannot be planned up to its end, and for a pass that finds more to do when it runs
/// again.
[[nodiscard]] Result<std::string> plan_text(const std::string& program, const std::string& path,
                                            const std::string& passes);

}  // namespace pliant::testing
