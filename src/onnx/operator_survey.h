#pragma once

#include "base/result.h"
#include "onnx/function_library.h"
#include "onnx/onnx.pb.h"

namespace pliant::onnx {

/// Looks at every node of a model, those of functions that are called included, before anything is
/// converted: one error lists all operators that Pliant does not have, with how often each stands
/// in the file. A model is told at once all that is missing.
[[nodiscard]] Status survey_operators(const proto::Model& model, const FunctionLibrary& functions);

}  // namespace pliant::onnx
