#pragma once

#include <string>

#include <pliant/session.h>

#include "case_files.h"

namespace pliant::testing {

/// Runs a loaded model on `input_<i>` of a folder and compares with its `output_<i>`, in the model's
/// orders; `extension` is ".pb" or ".npy". Empty when all fits, else what went wrong.
[[nodiscard]] std::string run_recorded_case(Session& session, const std::string& folder,
                                            const std::string& extension,
                                            const Tolerances& tolerances);

/// The same in all tiers, which must agree bit for bit: the session has rounding_fusions off.
[[nodiscard]] std::string run_recorded_case_in_all_tiers(Session& session,
                                                         const std::string& folder,
                                                         const std::string& extension,
                                                         const Tolerances& tolerances);

}  // namespace pliant::testing
