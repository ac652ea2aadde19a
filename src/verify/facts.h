#pragma once

#include "semantics/inference_context.h"

namespace pliant::verify {

/// What is known about a slot at one point of the program. Plain and immutable once made.
struct Facts {
  enum class Kind : std::uint8_t {
    kTensor,
    kSize,
    kWritten,  ///< a loop or an output: that it was written is all there is to know
    kWrong,    ///< an error was found where it was made; nothing more is said about it
  };
  Kind kind = Kind::kWritten;
  semantics::TensorFacts tensor;  ///< kTensor
  semantics::Extent size;         ///< kSize
};

[[nodiscard]] inline bool operator==(const Facts& a, const Facts& b) {
  if (a.kind != b.kind) {
    return false;
  }
  if (a.kind == Facts::Kind::kTensor) {
    return a.tensor.dtype == b.tensor.dtype && a.tensor.rank_known == b.tensor.rank_known &&
           (!a.tensor.rank_known || a.tensor.shape == b.tensor.shape);
  }
  return a.kind != Facts::Kind::kSize || a.size == b.size;
}

}  // namespace pliant::verify
