#pragma once

#include <string>
#include <vector>

#include <pliant/session.h>

#include "case_files.h"

namespace pliant::testing {

/// The folders `dev_<n>` of a model, in order.
[[nodiscard]] std::vector<std::string> recorded_case_folders(const std::string& model_folder);

/// The inputs of a folder, `input_<i>`, as the session's model wants them; `extension` is ".pb" or
/// ".npy".
[[nodiscard]] Result<std::vector<NamedTensor>> read_recorded_inputs(const Session& session,
                                                                    const std::string& folder,
                                                                    const std::string& extension);

/// Runs a loaded model on `input_<i>` of a folder and compares with its `output_<i>`, in the model's
/// orders. Empty when all fits, else what went wrong.
[[nodiscard]] std::string run_recorded_case(Session& session, const std::string& folder,
                                            const std::string& extension,
                                            const Tolerances& tolerances);

/// The same in all tiers, which must agree bit for bit: the session has rounding_fusions off.
[[nodiscard]] std::string run_recorded_case_in_all_tiers(Session& session,
                                                         const std::string& folder,
                                                         const std::string& extension,
                                                         const Tolerances& tolerances);

}  // namespace pliant::testing
