#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include <pliant/session.h>

#include "cli/assignments.h"

namespace pliant::cli {

/// What the command line says about inputs.
struct InputOptions {
  std::vector<std::string> files;         ///< NAME=FILE.npy
  const CLI::Option* random = nullptr;    ///< --random, which may be given without a value
  std::vector<std::string> random_sizes;  ///< SYMBOL=EXTENT,...
  std::vector<std::string> ranges;        ///< NAME=LOW..HIGH
  std::uint64_t seed = 1;
};

/// Adds --input, --random, --range and --seed. `options` must stay where it is.
void add_input_options(CLI::App& command, InputOptions& options);

/// All of these but --random, for commands that get sizes otherwise.
void add_value_options(CLI::App& command, InputOptions& options);

/// Reads the files, NAME=FILE.npy each.
[[nodiscard]] Result<std::vector<NamedTensor>> read_inputs(const std::vector<std::string>& files);

/// Makes a random tensor for each input that is not in `given` and has no default: floats in
/// [-1, 1), integers 0 or 1 and booleans, unless `ranges` says otherwise. The same seed gives the
/// same values. Symbols take their extents from `sizes`, or from the tensors in `given`.
///
/// Errors: kInvalidArgument for symbols without an extent (all are listed), unknown symbols or
/// names, and inputs whose rank is not known.
[[nodiscard]] Result<std::vector<NamedTensor>> make_random_inputs(
    const Model& model, const std::vector<NamedTensor>& given, const Sizes& sizes,
    const ValueRanges& ranges, std::uint64_t seed);

/// All inputs that the options ask for.
[[nodiscard]] Result<std::vector<NamedTensor>> gather_inputs(const Model& model,
                                                             const InputOptions& options);

}  // namespace pliant::cli
