#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "session/check_inputs.h"

namespace pliant::session {

/// Writes what is needed to see a plan answer differently from the interpreter, into a new folder
/// inside `parent`: the program as bytecode, each input and live-in register as .npy (bf16 as raw
/// "V2"), and a description with the plan. Returns the folder. Errors: kIo.
[[nodiscard]] Result<std::string> write_reproducer(const std::string& parent,
                                                   const Segment& segment, const plan::Plan& plan,
                                                   const CheckInputs& inputs,
                                                   std::string_view difference);

}  // namespace pliant::session
