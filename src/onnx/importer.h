#pragma once

#include <string>
#include <string_view>

#include <pliant/result.h>

#include "program/program.h"

namespace pliant::onnx {

/// Reads an ONNX model file and turns it into a program that computes the same.
///
/// Operators:  those of coverage.inc, opsets 7 to 23, both attribute and input forms; model-local
///             functions are inlined. Anything else is one error that lists every operator with its
///             count.
/// Symbols:    a named axis of an input becomes the symbol of that name, an unnamed one the symbol
///             "<input>.<axis>". Declared shapes of outputs are hints and are not read.
/// Weights:    constants of the program. External data is mapped, not copied, and must lie in the
///             model's folder. An initialiser that is also an input is that input's default from IR
///             version 4 on, a plain constant before.
/// Errors:     kIo, kCorrupt (not a model, or one that contradicts itself), kUnsupported,
///             kResourceExhausted (nesting). Any bytes give a program or an error; the program has
///             not been verified. Memory stays within a small multiple of the file's size.
[[nodiscard]] Result<Program> import_file(const std::string& path);

/// The same for a model in memory; `name` is used in messages. External data is refused.
[[nodiscard]] Result<Program> import_bytes(std::string_view bytes, const std::string& name);

}  // namespace pliant::onnx
