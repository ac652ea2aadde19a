#pragma once

#include <cstddef>
#include <vector>

#include "program/program.h"

namespace pliant::plan {

/// Where each register of a program is read. Made once per program.
class RegisterUses {
 public:
  explicit RegisterUses(const Program& program);

  /// Whether any instruction outside [first, end) reads the register: then a segment must leave it
  /// behind. Paths are not looked at, so the answer may be yes for a value that nobody gets to read.
  [[nodiscard]] bool read_outside(int index, std::size_t first, std::size_t end) const;

 private:
  std::vector<std::vector<std::size_t>> readers_;  ///< by register, instructions in ascending order
};

}  // namespace pliant::plan
