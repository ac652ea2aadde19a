#pragma once

#include <cstddef>
#include <vector>

#include "program/program.h"

namespace pliant::plan {

/// Where each register of a program is read and written. Made once per program.
class RegisterUses {
 public:
  explicit RegisterUses(const Program& program);

  /// Whether any instruction outside one run of [first, end) reads the register: then a segment must
  /// leave it behind. What a loop enters again may read what it wrote the time before. Paths are not
  /// looked at, so the answer may be yes for a value that nobody gets to read.
  [[nodiscard]] bool read_outside(int index, std::size_t first, std::size_t end) const;

 private:
  /// An instruction that may go back, and where to.
  struct BackEdge {
    std::size_t from = 0;
    std::size_t to = 0;
  };
  using Instructions = std::vector<std::size_t>;  // in ascending order

  [[nodiscard]] bool is_entered_again(std::size_t first, std::size_t end) const;

  std::vector<Instructions> readers_;  ///< by register
  std::vector<Instructions> writers_;  ///< by register
  std::vector<BackEdge> back_edges_;
};

}  // namespace pliant::plan
