#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <pliant/session.h>

#include "generators/program.h"

namespace pliant::fuzz {

/// Whether a program draws random numbers, which differ from run to run.
[[nodiscard]] bool has_random(const Program& program);

/// Inputs of these shapes, in the program's order: small whole numbers, the same each time.
[[nodiscard]] std::vector<NamedTensor> make_inputs(const Program& program,
                                                   const std::vector<Shape>& shapes);

/// What happened to the runs of one generated program.
struct SessionRuns {
  std::size_t finished = 0;
  std::size_t failed = 0;                ///< with an error that a user could have caused
  std::map<std::string, int> mnemonics;  ///< what the program is made of
  std::string complaint;                 ///< empty unless something must not be
};

/// Sends the program through text and bytecode, then through a session with every list of shapes.
/// Runs may fail, but not with kInternal; what was verified must load; two runs on the same inputs
/// must give the same bits, and so must all tiers.
[[nodiscard]] SessionRuns run_in_session(const GeneratedProgram& generated);

}  // namespace pliant::fuzz
