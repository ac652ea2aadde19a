#pragma once

#include <pliant/model.h>

#include "program/program.h"

namespace pliant {

/// A verified program and what its users ask about it.
struct Model::State {
  explicit State(VerifiedProgram verified);

  VerifiedProgram program;
  std::vector<InputInfo> inputs;
  std::vector<OutputInfo> outputs;
  std::size_t constant_bytes = 0;
};

}  // namespace pliant
