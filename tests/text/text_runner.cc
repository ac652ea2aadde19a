// Runs the text tests (docs/testing.md): text_runner run|verify|roundtrip|plan FILE…

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pliant/model.h>
#include <pliant/session.h>

#include "base/result.h"
#include "bytecode/reader.h"
#include "bytecode/writer.h"
#include "text/assembler.h"
#include "text/case_file.h"
#include "text/plan_text.h"
#include "text/printer.h"
#include "text/tensor_literal.h"
#include "verify/verify.h"

namespace pliant::testing {
namespace {

/// What is wrong with a case: a line of the file and words.
struct Complaint {
  int line = 0;
  std::string message;
};
using Complaints = std::vector<Complaint>;

/// Cuts "inputs -> outputs" in two.
std::optional<std::pair<std::string_view, std::string_view>> split_at_arrow(std::string_view text) {
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) {
    return std::nullopt;
  }
  return std::pair{text.substr(0, arrow), text.substr(arrow + 2)};
}

/// The words between the quotes of a `fails:` line.
std::string_view unquoted(std::string_view text) {
  const std::size_t first = text.find('"');
  const std::size_t last = text.rfind('"');
  return first == last ? text.substr(std::min(text.find_first_not_of(' '), text.size()))
                       : text.substr(first + 1, last - first - 1);
}

Result<std::vector<NamedTensor>> make_inputs(const Model& model, std::string_view text) {
  PLIANT_ASSIGN_OR_RETURN(const auto assignments, parse_assignments(text));
  std::vector<NamedTensor> inputs;
  for (const Assignment& assignment : assignments) {
    const auto declared =
        std::find_if(model.inputs().begin(), model.inputs().end(),
                     [&](const InputInfo& i) { return i.name == assignment.name; });
    // A wrong name is for the session to complain about.
    const DType dtype = declared == model.inputs().end() ? DType::kF32 : declared->dtype;
    PLIANT_ASSIGN_OR_RETURN(Tensor value, make_tensor(assignment.value, dtype));
    inputs.push_back({assignment.name, std::move(value)});
  }
  return inputs;
}

Status check_outputs(const Model& model, const std::vector<Tensor>& outputs,
                     std::string_view text) {
  PLIANT_ASSIGN_OR_RETURN(const auto assignments, parse_assignments(text));
  for (const Assignment& assignment : assignments) {
    const auto& declared = model.outputs();
    const auto found =
        std::find_if(declared.begin(), declared.end(),
                     [&](const OutputInfo& output) { return output.name == assignment.name; });
    if (found == declared.end()) {
      return make_error(ErrorCode::kSyntax, "there is no output {}", assignment.name);
    }
    const Tensor& actual = outputs[static_cast<std::size_t>(found - declared.begin())];
    PLIANT_ASSIGN_OR_RETURN(const Tensor expected, make_tensor(assignment.value, actual.dtype()));
    const std::string words = difference(actual, expected, assignment.comparison);
    if (!words.empty()) {
      return make_error(ErrorCode::kInvalidArgument, "output {}: {}", assignment.name, words);
    }
  }
  return {};
}

Status check_run(Session& session, std::string_view text) {
  const auto parts = split_at_arrow(text);
  if (!parts) {
    return make_error(ErrorCode::kSyntax, "expected `inputs -> outputs`");
  }
  PLIANT_ASSIGN_OR_RETURN(const auto inputs, make_inputs(session.model(), parts->first));
  PLIANT_ASSIGN_OR_RETURN(const auto outputs, session.run(inputs));
  return check_outputs(session.model(), outputs, parts->second);
}

Status check_failure(Session& session, std::string_view text) {
  const auto parts = split_at_arrow(text);
  if (!parts) {
    return make_error(ErrorCode::kSyntax, "expected `inputs -> \"words of the error\"`");
  }
  PLIANT_ASSIGN_OR_RETURN(const auto inputs, make_inputs(session.model(), parts->first));
  const auto outputs = session.run(inputs);
  if (outputs) {
    return make_error(ErrorCode::kInvalidArgument, "the run succeeded");
  }
  const std::string actual = outputs.error().to_string();
  if (actual.find(unquoted(parts->second)) == std::string::npos) {
    return make_error(ErrorCode::kInvalidArgument, "the error is: {}", actual);
  }
  return {};
}

/// Runs a program on the inputs of each `run:` and `fails:` line.
Complaints run_case(const Case& tested, const std::string& path) {
  auto model = Model::from_assembly(tested.program, path);
  if (!model) {
    // A program that is refused at load fails every run.
    const std::string actual = model.error().to_string();
    for (const Expectation& expectation : tested.expectations) {
      const auto parts = split_at_arrow(expectation.text);
      if (expectation.kind != Expectation::Kind::kFails || !parts ||
          actual.find(unquoted(parts->second)) == std::string::npos) {
        return {{expectation.line, fmt::format("the program is refused: {}", actual)}};
      }
    }
    return tested.expectations.empty() ? Complaints{{tested.line, actual}} : Complaints{};
  }
  auto session = Session::create(std::move(*model));
  if (!session) {
    return {{tested.line, session.error().to_string()}};
  }
  Complaints complaints;
  for (const Expectation& expectation : tested.expectations) {
    const Status status = expectation.kind == Expectation::Kind::kFails
                              ? check_failure(*session, expectation.text)
                              : check_run(*session, expectation.text);
    if (!status) {
      complaints.push_back({expectation.line, status.error().to_string()});
    }
  }
  if (tested.expectations.empty()) {
    complaints.push_back({tested.line, "the case checks nothing: it has no run: or fails: line"});
  }
  return complaints;
}

/// Every `error:` is reported on its line, and nothing else is.
Complaints verify_case(const Case& tested, const std::string& path) {
  Diagnostics diagnostics;
  if (auto program = text::assemble(tested.program, path, diagnostics)) {
    const auto verified = verify::verify(std::move(*program), &diagnostics);
    static_cast<void>(verified);
  }
  std::vector<bool> expected(diagnostics.all().size(), false);
  Complaints complaints;
  for (const Expectation& expectation : tested.expectations) {
    bool met = false;
    for (std::size_t i = 0; i < expected.size() && !met; ++i) {
      const Diagnostic& diagnostic = diagnostics.all()[i];
      // What concerns no line is expected behind the name of the case or anywhere in it.
      met = !expected[i] && (diagnostic.line == expectation.line || diagnostic.line == 0) &&
            diagnostic.message.find(expectation.text) != std::string::npos;
      expected[i] = expected[i] || met;
    }
    if (!met) {
      complaints.push_back({expectation.line, "this error is not reported here"});
    }
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Diagnostic& diagnostic = diagnostics.all()[i];
    if (!expected[i]) {
      complaints.push_back({std::max(diagnostic.line, tested.line),
                            fmt::format("unexpected: {}", diagnostic.message)});
    }
  }
  return complaints;
}

/// text -> program -> bytecode -> program -> text is the same, and assembles to the same.
Complaints roundtrip_case(const Case& tested, const std::string& path) {
  Diagnostics diagnostics;
  const auto program = text::assemble(tested.program, path, diagnostics);
  if (!program) {
    return {{tested.line, diagnostics.render(tested.program)}};
  }
  const std::string printed = text::print(*program);
  auto bytes = std::make_shared<const std::vector<std::byte>>(bytecode::write(*program));
  const auto back = bytecode::read(*bytes, bytes);
  if (!back) {
    return {{tested.line, fmt::format("bytecode is refused: {}", back.error().to_string())}};
  }
  if (text::print(*back) != printed) {
    return {{tested.line, fmt::format("bytecode changes the program:\n{}\n---\n{}", printed,
                                      text::print(*back))}};
  }
  const auto again = text::assemble(printed, path, diagnostics);
  if (!again) {
    return {{tested.line, diagnostics.render(printed)}};
  }
  if (text::print(*again) != printed || again->instructions != program->instructions) {
    return {{tested.line, fmt::format("printing changes the program:\n{}\n---\n{}", printed,
                                      text::print(*again))}};
  }
  return {};
}

Status check_plan(const Case& tested, const std::string& path, const Expectation& expectation) {
  PLIANT_ASSIGN_OR_RETURN(const std::string actual,
                          plan_text(tested.program, path, expectation.text));
  if (actual != expectation.plan) {
    return make_error(ErrorCode::kInvalidArgument, "the plan is:\n{}", actual);
  }
  return {};
}

/// Compares what passes make of the program with each `plan …:`; `run:` lines run by plans.
Complaints plan_case(const Case& tested, const std::string& path) {
  Complaints complaints;
  Case runs = tested;
  runs.expectations.clear();
  for (const Expectation& expectation : tested.expectations) {
    if (expectation.kind != Expectation::Kind::kPlan) {
      runs.expectations.push_back(expectation);
      continue;
    }
    const Status status = check_plan(tested, path, expectation);
    if (!status) {
      complaints.push_back({expectation.line, status.error().to_string()});
    }
  }
  if (runs.expectations.size() == tested.expectations.size()) {
    complaints.push_back({tested.line, "the case has no plan"});
  }
  if (!runs.expectations.empty()) {
    std::ranges::move(run_case(runs, path), std::back_inserter(complaints));
  }
  return complaints;
}

using Check = Complaints (*)(const Case&, const std::string& path);
constexpr std::pair<std::string_view, Check> kChecks[] = {
    {"run", run_case}, {"verify", verify_case}, {"roundtrip", roundtrip_case}, {"plan", plan_case}};

int run_file(Check check, const std::string& path) {
  const auto cases = read_cases(path);
  if (!cases || cases->empty()) {
    fmt::print(stderr, "{}: {}\n", path, cases ? "no cases" : cases.error().to_string());
    return 1;
  }
  int failed = 0;
  for (const Case& tested : *cases) {
    const Complaints complaints = check(tested, path);
    for (const Complaint& complaint : complaints) {
      fmt::print("{}:{}: {}: {}\n", path, complaint.line, tested.name, complaint.message);
    }
    failed += complaints.empty() ? 0 : 1;
  }
  fmt::print("{}: {} cases, {} failed\n", path, cases->size(), failed);
  return failed == 0 ? 0 : 1;
}

int main_of_runner(const std::vector<std::string>& arguments) {
  const auto* check = std::find_if(std::begin(kChecks), std::end(kChecks), [&](const auto& row) {
    return !arguments.empty() && row.first == arguments[0];
  });
  if (check == std::end(kChecks) || arguments.size() < 2) {
    fmt::print(stderr, "usage: text_runner run|verify|roundtrip|plan FILE…\n");
    return 2;
  }
  int result = 0;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    result |= run_file(check->second, arguments[i]);
  }
  return result;
}

}  // namespace
}  // namespace pliant::testing

int main(int argc, char** argv) {
  return pliant::testing::main_of_runner({argv + 1, argv + argc});
}
