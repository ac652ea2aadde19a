// Writes docs/generated: what the tables of the sources say, for people. `./dev docs` runs this, and
// `./dev check` compares.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pliant/result.h>

#include "isa/info.h"

namespace {

using pliant::isa::Default;
using pliant::isa::Form;
using pliant::isa::InstructionClass;
using pliant::isa::InstructionInfo;
using pliant::isa::OperandInfo;

constexpr std::string_view kNotice =
    "<!-- Written by tools/generate_docs.cc; ./dev docs writes it anew. -->\n\n";

/// `|` ends a cell of a table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '|' ? "\\|" : std::string(1, c);
  }
  return escaped;
}

std::string default_text(const OperandInfo& operand) {
  const Default& value = operand.default_value;
  if (value.presence == Default::Presence::kRequired) {
    return "";
  }
  if (value.presence == Default::Presence::kNamed) {
    return "must be given";
  }
  switch (value.form) {
    case Form::kNumber:
      return fmt::format("{}", value.number);
    case Form::kReal:
      return fmt::format("{}", value.real);
    case Form::kFlag:
      return value.number != 0 ? "true" : "false";
    case Form::kChoice:
      return std::string(
          pliant::isa::choice_words(operand.choices)[static_cast<std::size_t>(value.number)]);
    default:
      return "absent";
  }
}

std::string kind_text(const OperandInfo& operand) {
  std::string text(pliant::isa::info(operand.kind).name);
  if (const auto words = pliant::isa::choice_words(operand.choices); !words.empty()) {
    text += fmt::format(": {}", fmt::join(words, " "));
  }
  return text;
}

/// The line as one would write it: `MATMUL dst, lhs, rhs`, then the attributes.
std::string usage(const InstructionInfo& row) {
  std::vector<std::string> words;
  for (const OperandInfo& operand : row.operands) {
    const bool optional = operand.default_value.presence == Default::Presence::kOptional;
    words.push_back(operand.is_positional() ? std::string(operand.field)
                                            : fmt::format("{}{}=…{}", optional ? "[" : "",
                                                          operand.field, optional ? "]" : ""));
  }
  return fmt::format("{} {}", row.mnemonic, fmt::join(words, ", "));
}

std::string effects_text(std::uint32_t effects) {
  static constexpr std::pair<std::uint32_t, std::string_view> kWords[] = {
      {pliant::isa::kPure, "pure"},
      {pliant::isa::kWritesOutput, "stores an output"},
      {pliant::isa::kBranches, "branches"},
      {pliant::isa::kTerminates, "does not go on with the next instruction"},
      {pliant::isa::kReadsShapeOnly, "reads shapes alone"},
      {pliant::isa::kReadsValues, "result sizes depend on values"},
      {pliant::isa::kMeasures, "result sizes are found by a pass over the elements"},
      {pliant::isa::kChecksValues, "checks values"},
      {pliant::isa::kElementwise, "elementwise"},
      {pliant::isa::kRandom, "random"},
  };
  std::vector<std::string_view> words;
  for (const auto& [flag, word] : kWords) {
    if ((effects & flag) != 0) {
      words.push_back(word);
    }
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string instruction_text(const InstructionInfo& row) {
  std::string text = fmt::format("### {}\n\n`{}`\n\n{}\n\n", row.mnemonic, usage(row), row.doc);
  if (!row.operands.empty()) {
    text += "| operand | kind | element type | default | |\n|---|---|---|---|---|\n";
  }
  for (const OperandInfo& operand : row.operands) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", operand.field, cell(kind_text(operand)),
                        cell(pliant::isa::info(operand.constraint).words), default_text(operand),
                        cell(operand.doc));
  }
  text += fmt::format("\nCode 0x{:03x}, since version {}", static_cast<int>(row.opcode), row.since);
  const std::string effects = effects_text(row.effects);
  text += effects.empty() ? ".\n\n" : fmt::format("; {}.\n\n", effects);
  return text;
}

std::string instructions_page() {
  static constexpr std::pair<InstructionClass, std::string_view> kGroups[] = {
      {InstructionClass::kData, "Data"},       {InstructionClass::kControl, "Control"},
      {InstructionClass::kSize, "Sizes"},      {InstructionClass::kView, "Views"},
      {InstructionClass::kCompute, "Compute"},
  };
  std::string text = "# Instructions\n\n";
  text += kNotice;
  text += fmt::format(
      "{} instructions, from `src/isa/instructions.def`. [assembly.md](../assembly.md) says how "
      "they "
      "are written.\n\n## Kinds of operands\n\n| kind | |\n|---|---|\n",
      pliant::isa::instructions().size());
  for (int kind = 0; kind <= static_cast<int>(pliant::isa::OperandKind::kConstantName); ++kind) {
    const auto& info = pliant::isa::info(static_cast<pliant::isa::OperandKind>(kind));
    text += fmt::format("| {} | {} |\n", info.name, cell(info.doc));
  }
  for (const auto& [group, title] : kGroups) {
    text += fmt::format("\n## {}\n\n", title);
    for (const InstructionInfo& row : pliant::isa::instructions()) {
      text += row.instruction_class == group ? instruction_text(row) : "";
    }
    text.pop_back();
  }
  return text;
}

std::string errors_page() {
  struct Row {
    const char* name;
    const char* words;
    const char* doc;
  };
  static constexpr Row kRows[] = {
#define PLIANT_ERROR(Name, text, doc) {"k" #Name, text, doc},
#include <pliant/errors.def>
  };
  std::string text = "# Errors\n\n";
  text += kNotice;
  text +=
      "Every failing call returns one of these codes, words, and the place "
      "(`pliant/result.h`).\n\n";
  text += "| code | words | means |\n|---|---|---|\n";
  for (const Row& row : kRows) {
    text += fmt::format("| {} | {} | {} |\n", row.name, row.words, row.doc);
  }
  return text;
}

bool write_page(const std::filesystem::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    fmt::print(stderr, "cannot write {}\n", path.string());
  }
  return !file.fail();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: pliant_generate_docs FOLDER\n");
    return 1;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const bool written = write_page(folder / "isa.md", instructions_page()) &&
                       write_page(folder / "errors.md", errors_page());
  return written ? 0 : 2;
}
