#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "program/program.h"
#include "text/lexer.h"

namespace pliant::text {

/// The program under construction and the names declared so far.
struct Scope {
  using Names = std::unordered_map<std::string, std::int64_t>;

  struct Label {
    std::string name;
    std::optional<std::int64_t> instruction;  ///< set when the label has been seen
    Token first_use;                          ///< for the message when it never is
  };

  Program program;
  Names symbols;
  Names constants;
  Names inputs;
  Names outputs;
  Names label_numbers;
  std::vector<Label> labels;

  /// Position of the label in `labels`; a new one if the name is new.
  std::int64_t label(const std::string& name, const Token& use) {
    const auto [found, is_new] =
        label_numbers.emplace(name, static_cast<std::int64_t>(labels.size()));
    if (is_new) {
      labels.push_back({name, std::nullopt, use});
    }
    return found->second;
  }
};

}  // namespace pliant::text
