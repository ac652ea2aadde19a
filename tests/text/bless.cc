// text_bless FILE…: rewrites the expected outputs of `run:` lines that are not met, or that read `?`, and
// expected plans, with what comes out now. The diff is what has to be reviewed.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <pliant/model.h>
#include <pliant/session.h>

#include "base/half.h"
#include "base/result.h"
#include "tensor/dtype.h"
#include "text/case_file.h"
#include "text/plan_text.h"
#include "text/tensor_literal.h"

namespace pliant::testing {
namespace {

template <class T>
std::string element(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return element(to_float(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(value) ? "nan" : fmt::format("{}", value);
  } else if constexpr (sizeof(T) == 1 && !std::is_same_v<T, bool>) {
    return fmt::format("{}", static_cast<int>(value));
  } else {
    return fmt::format("{}", value);
  }
}

/// The elements from `offset` on as nested brackets over the axes from `axis` on.
void append_nested(std::string& to, const Tensor& tensor, const std::vector<std::string>& elements,
                   std::size_t axis, std::size_t& offset) {
  if (axis == tensor.shape().size()) {
    to += elements[offset++];
    return;
  }
  to += "[";
  for (std::int64_t i = 0; i < tensor.shape()[axis]; ++i) {
    to += i == 0 ? "" : " ";
    append_nested(to, tensor, elements, axis + 1, offset);
  }
  to += "]";
}

std::string literal_of(const Tensor& tensor) {
  if (tensor.element_count() == 0) {
    return fmt::format("zeros[{}]", fmt::join(tensor.shape(), ", "));
  }
  const std::vector<std::string> elements = visit_dtype(tensor.dtype(), [&](auto zero) {
    std::vector<std::string> words;
    for (const auto value : tensor.values<decltype(zero)>()) {
      words.push_back(element(value));
    }
    return words;
  });
  std::string text;
  std::size_t offset = 0;
  append_nested(text, tensor, elements, 0, offset);
  return text;
}

Result<std::vector<NamedTensor>> inputs_of(const Model& model, std::string_view text) {
  PLIANT_ASSIGN_OR_RETURN(const auto assignments, parse_assignments(text));
  std::vector<NamedTensor> inputs;
  for (const Assignment& assignment : assignments) {
    DType dtype = DType::kF32;
    for (const InputInfo& input : model.inputs()) {
      dtype = input.name == assignment.name ? input.dtype : dtype;
    }
    PLIANT_ASSIGN_OR_RETURN(Tensor value, make_tensor(assignment.value, dtype));
    inputs.push_back({assignment.name, std::move(value)});
  }
  return inputs;
}

/// The right side of a `run:` line for these outputs; what is met stays as it is written.
std::string blessed(const Model& model, const std::vector<Tensor>& outputs,
                    const std::string& written) {
  // A line that reads `?` is no list of assignments.
  const auto parsed = parse_assignments(written);
  const std::vector<Assignment> assignments = parsed ? *parsed : std::vector<Assignment>{};
  bool met = !assignments.empty();
  std::string text;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string& name = model.outputs()[i].name;
    Comparison comparison = Comparison::kExact;
    for (const Assignment& assignment : assignments) {
      if (assignment.name == name) {
        comparison = assignment.comparison;
        const auto expected = make_tensor(assignment.value, outputs[i].dtype());
        met = met && expected && difference(outputs[i], *expected, comparison).empty();
      }
    }
    text += fmt::format(" {}{}{}", name, comparison == Comparison::kClose ? "~=" : "=",
                        literal_of(outputs[i]));
  }
  return met ? written : text;
}

/// Rewrites the lines of one case in place; returns how many changed.
int bless_case(const Case& tested, const std::string& path, std::vector<std::string>& lines) {
  auto model = Model::from_assembly(tested.program, path);
  auto session = model ? Session::create(*model) : Result<Session>(model.error());
  if (!session) {
    return 0;  // a program that is refused on purpose has `fails:` lines, which are written by hand
  }
  int changed = 0;
  for (const Expectation& expectation : tested.expectations) {
    std::string& line = lines[static_cast<std::size_t>(expectation.line - 1)];
    const std::size_t arrow = expectation.text.find("->");
    const std::size_t line_arrow = line.find("->");
    if (expectation.kind != Expectation::Kind::kRun || arrow == std::string::npos ||
        line_arrow == std::string::npos) {
      continue;
    }
    const auto inputs = inputs_of(*model, expectation.text.substr(0, arrow));
    const auto outputs =
        inputs ? session->run(*inputs) : Result<std::vector<Tensor>>(inputs.error());
    if (!outputs) {
      fmt::print("{}:{}: {}\n", path, expectation.line, outputs.error().to_string());
      continue;
    }
    const std::string now =
        line.substr(0, line_arrow + 2) + blessed(*model, *outputs, line.substr(line_arrow + 2));
    changed += now == line ? 0 : 1;
    line = now;
  }
  return changed;
}

/// The lines of a file with the expected plans of its cases as they are now.
std::vector<std::string> with_plans(const std::vector<Case>& cases, const std::string& path,
                                    const std::vector<std::string>& lines, int& changed) {
  std::vector<std::string> written;
  std::size_t next = 0;
  for (const Case& tested : cases) {
    for (const Expectation& expectation : tested.expectations) {
      if (expectation.kind != Expectation::Kind::kPlan) {
        continue;
      }
      const auto now = plan_text(tested.program, path, expectation.text);
      if (!now) {
        fmt::print("{}:{}: {}\n", path, expectation.line, now.error().to_string());
        continue;
      }
      changed += *now == expectation.plan ? 0 : 1;
      for (; next < static_cast<std::size_t>(expectation.line); ++next) {
        written.push_back(lines[next]);
      }
      std::istringstream text(*now);
      for (std::string line; std::getline(text, line);) {
        written.push_back(std::string(kPlanLine) + line);
      }
      while (next < lines.size() && lines[next].starts_with(kPlanLine)) {
        ++next;
      }
    }
  }
  written.insert(written.end(), lines.begin() + static_cast<std::ptrdiff_t>(next), lines.end());
  return written;
}

Status bless_file(const std::string& path) {
  PLIANT_ASSIGN_OR_RETURN(const std::vector<Case> cases, read_cases(path));
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  int changed = 0;
  for (const Case& tested : cases) {
    changed += bless_case(tested, path, lines);
  }
  lines = with_plans(cases, path, lines, changed);
  if (changed > 0) {
    std::ofstream out(path);
    for (const std::string& line : lines) {
      out << line << '\n';
    }
    fmt::print("{}: {} expectations rewritten\n", path, changed);
  }
  return {};
}

}  // namespace
}  // namespace pliant::testing

int main(int argc, char** argv) {
  int result = 0;
  for (int i = 1; i < argc; ++i) {
    if (const auto status = pliant::testing::bless_file(argv[i]); !status) {
      fmt::print(stderr, "{}\n", status.error().to_string());
      result = 1;
    }
  }
  return result;
}
