#include "recorded_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "support/all_tiers.h"

namespace pliant::testing {
namespace {

/// Recorded files keep bf16 as u16, because NumPy has no such type.
Result<Tensor> read_as(const std::string& path, DType wanted) {
  auto tensor = read_tensor_file(path);
  if (tensor && wanted == DType::kBF16 && tensor->dtype() == DType::kU16) {
    return Tensor::borrow(tensor->data(), wanted, tensor->shape(), tensor->owner());
  }
  return tensor;
}

std::string compare_with_recorded(const Result<std::vector<Tensor>>& results,
                                  const std::string& folder, const std::string& extension,
                                  const Tolerances& tolerances) {
  if (!results) {
    return results.error().to_string();
  }
  for (std::size_t i = 0; i < results->size(); ++i) {
    const auto expected =
        read_as(fmt::format("{}/output_{}{}", folder, i, extension), (*results)[i].dtype());
    if (!expected) {
      return "output: " + expected.error().to_string();
    }
    const std::string wrong = difference((*results)[i], *expected, tolerances);
    if (!wrong.empty()) {
      return fmt::format("output {}: {}", i, wrong);
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> recorded_case_folders(const std::string& model_folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> folders;
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(model_folder, missing)) {
    if (entry.path().filename().string().starts_with("dev_")) {
      folders.push_back(entry.path().string());
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

Result<std::vector<NamedTensor>> read_recorded_inputs(const Session& session,
                                                      const std::string& folder,
                                                      const std::string& extension) {
  std::vector<NamedTensor> inputs;
  const auto& declared = session.model().inputs();
  for (std::size_t i = 0; i < declared.size(); ++i) {
    auto value = read_as(fmt::format("{}/input_{}{}", folder, i, extension), declared[i].dtype);
    if (!value) {
      return value.error();
    }
    inputs.push_back({declared[i].name, std::move(*value)});
  }
  return inputs;
}

std::string run_recorded_case(Session& session, const std::string& folder,
                              const std::string& extension, const Tolerances& tolerances) {
  const auto inputs = read_recorded_inputs(session, folder, extension);
  if (!inputs) {
    return "input: " + inputs.error().to_string();
  }
  return compare_with_recorded(session.run(*inputs), folder, extension, tolerances);
}

std::string run_recorded_case_in_all_tiers(Session& session, const std::string& folder,
                                           const std::string& extension,
                                           const Tolerances& tolerances) {
  const auto inputs = read_recorded_inputs(session, folder, extension);
  if (!inputs) {
    return "input: " + inputs.error().to_string();
  }
  const TierRuns runs = run_in_all_tiers(session, *inputs);
  if (!runs.complaint.empty()) {
    return runs.complaint;
  }
  return compare_with_recorded(runs.interpreted, folder, extension, tolerances);
}

}  // namespace pliant::testing
