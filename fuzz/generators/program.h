#pragma once

#include <cstddef>
#include <vector>

#include "generators/choices.h"
#include "program/program.h"
#include "tensor/shape.h"

namespace pliant::fuzz {

struct GeneratedProgram {
  Program program;  ///< the verifier accepts it
  /// For each run a shape per input, in the order of the program's inputs. They fit the declarations.
  std::vector<std::vector<Shape>> runs;
};

struct GeneratorLimits {
  std::size_t instructions = 24;
  std::size_t depth = 2;  ///< of loops and branches in each other
  std::size_t runs = 4;
};

/// Makes a valid program from the rows of the instruction table: random inputs with symbolic shapes,
/// then instruction after instruction, keeping those that the verifier accepts; branches and loops
/// too. A new row is generated the day it lands. Extents stay small, so that runs are fast.
[[nodiscard]] GeneratedProgram generate_program(Choices& choices,
                                                const GeneratorLimits& limits = {});

}  // namespace pliant::fuzz
