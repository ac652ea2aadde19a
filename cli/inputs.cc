#include "cli/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/element_value.h"
#include "cli/npy.h"
#include "cli/whole_number.h"

namespace pliant::cli {
namespace {

Error wrong(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message), {}};
}

/// splitmix64 (Steele, Lea, Flood, OOPSLA 2014): small, and the same everywhere.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

  /// In [0, 1).
  double next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

bool holds_fractions(DType dtype) {
  return dtype == DType::kF32 || dtype == DType::kF64 || dtype == DType::kF16 ||
         dtype == DType::kBF16;
}

void fill(Tensor& tensor, const ValueRange* range, RandomNumbers& random) {
  const bool fractions = holds_fractions(tensor.dtype());
  const double low = range != nullptr ? range->low : fractions ? -1.0 : 0.0;
  const double high = range != nullptr ? range->high : 1.0;
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
    const double unit = random.next();
    const double value =
        fractions ? low + (high - low) * unit : low + std::floor((high - low + 1) * unit);
    set_element(tensor, i, value);
  }
}

const NamedTensor* find(const std::vector<NamedTensor>& tensors, const std::string& name) {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const NamedTensor& tensor) { return tensor.name == name; });
  return found == tensors.end() ? nullptr : &*found;
}

/// Extents of symbols from the command line and, where it says nothing, from tensors in files.
Result<Sizes> complete_sizes(const Model& model, const std::vector<NamedTensor>& given,
                             Sizes sizes) {
  std::set<std::string> known;
  std::set<std::string> missing;
  for (const InputInfo& input : model.inputs()) {
    const NamedTensor* tensor = find(given, input.name);
    for (std::size_t axis = 0; axis < input.shape.size(); ++axis) {
      const Dimension& dimension = input.shape[axis];
      if (dimension.extent) {
        continue;
      }
      known.insert(dimension.symbol);
      if (tensor != nullptr && axis < tensor->value.shape().size()) {
        sizes.emplace(dimension.symbol, tensor->value.shape()[axis]);
      }
    }
  }
  for (const auto& [symbol, extent] : sizes) {
    if (!known.contains(symbol)) {
      return wrong(fmt::format("unknown symbol '{}' in --random; the model has: {}", symbol,
                               known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
  }
  for (const InputInfo& input : model.inputs()) {
    if (input.has_default || find(given, input.name) != nullptr) {
      continue;
    }
    for (const Dimension& dimension : input.shape) {
      if (!dimension.extent && !sizes.contains(dimension.symbol)) {
        missing.insert(dimension.symbol);
      }
    }
  }
  if (!missing.empty()) {
    return wrong(fmt::format("--random needs extents for: {} (for example --random {}=1)",
                             fmt::join(missing, ", "), fmt::join(missing, "=1,")));
  }
  return sizes;
}

Status check_names(const Model& model, const ValueRanges& ranges) {
  for (const auto& entry : ranges) {
    const std::string& name = entry.first;
    const bool exists = std::any_of(model.inputs().begin(), model.inputs().end(),
                                    [&](const InputInfo& input) { return input.name == name; });
    if (!exists) {
      return wrong(fmt::format("unknown input in --range: '{}'", name));
    }
  }
  return {};
}

}  // namespace

void add_input_options(CLI::App& command, InputOptions& options) {
  CLI::Option* const random =
      command.add_option("--random", options.random_sizes,
                         "Make the other inputs from seeded random numbers, with these extents of "
                         "the model's symbols.");
  random->type_name("SYMBOL=EXTENT,...")
      ->expected(0, 1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  options.random = random;
  add_value_options(command, options);
}

void add_value_options(CLI::App& command, InputOptions& options) {
  command
      .add_option("--input", options.files,
                  "A named input from a NumPy file; split at the last `=`. Give it once per input.")
      ->type_name("NAME=FILE.npy")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option(
          "--range", options.ranges,
          "Bounds of a random input, both included. Integers are 0..1 otherwise, floats -1..1.")
      ->type_name("NAME=LOW..HIGH")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--seed", options.seed, "Seed of random inputs.")
      ->transform(whole_number())
      ->capture_default_str();
}

Result<std::vector<NamedTensor>> read_inputs(const std::vector<std::string>& files) {
  std::vector<NamedTensor> inputs;
  for (const std::string& text : files) {
    const auto assignment = parse_assignment(text);
    if (!assignment) {
      return wrong(fmt::format("--input expects NAME=FILE.npy: '{}'", text));
    }
    auto tensor = read_npy(assignment->value);
    if (!tensor) {
      return tensor.error();
    }
    inputs.push_back({assignment->name, *tensor});
  }
  return inputs;
}

Result<std::vector<NamedTensor>> make_random_inputs(const Model& model,
                                                    const std::vector<NamedTensor>& given,
                                                    const Sizes& sizes, const ValueRanges& ranges,
                                                    std::uint64_t seed) {
  if (Status status = check_names(model, ranges); !status) {
    return status.error();
  }
  const auto extents = complete_sizes(model, given, sizes);
  if (!extents) {
    return extents.error();
  }
  std::vector<NamedTensor> inputs;
  RandomNumbers random(seed);
  for (const InputInfo& input : model.inputs()) {
    if (input.has_default || find(given, input.name) != nullptr) {
      continue;
    }
    if (!input.rank_known) {
      return wrong(fmt::format(
          "--random cannot make an input whose rank is not known: '{}'; give it with --input",
          input.name));
    }
    std::vector<std::int64_t> shape;
    for (const Dimension& dimension : input.shape) {
      shape.push_back(dimension.extent ? *dimension.extent : extents->at(dimension.symbol));
    }
    auto tensor = Tensor::allocate(input.dtype, shape);
    if (!tensor) {
      return Error{tensor.error().code,
                   fmt::format("input '{}': {}", input.name, tensor.error().message),
                   {}};
    }
    const auto range = ranges.find(input.name);
    fill(*tensor, range == ranges.end() ? nullptr : &range->second, random);
    inputs.push_back({input.name, *tensor});
  }
  return inputs;
}

Result<std::vector<NamedTensor>> gather_inputs(const Model& model, const InputOptions& options) {
  auto inputs = read_inputs(options.files);
  if (!inputs || options.random->count() == 0) {
    return inputs;
  }
  const auto sizes = parse_sizes(options.random_sizes);
  const auto ranges = parse_ranges(options.ranges);
  if (!sizes || !ranges) {
    return sizes ? ranges.error() : sizes.error();
  }
  auto random = make_random_inputs(model, *inputs, *sizes, *ranges, options.seed);
  if (!random) {
    return random;
  }
  inputs->insert(inputs->end(), random->begin(), random->end());
  return inputs;
}

}  // namespace pliant::cli
