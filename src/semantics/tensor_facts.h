#pragma once

#include "semantics/extent.h"
#include "tensor/view.h"

namespace pliant::semantics {

/// What is known about a tensor: its element type always, its shape as far as possible.
struct TensorFacts {
  DType dtype = DType::kF32;
  bool rank_known = false;
  ExtentShape shape;  ///< if rank_known
};

/// Of a tensor that is there.
[[nodiscard]] inline TensorFacts facts_of(const TensorView& view) {
  TensorFacts facts;
  facts.dtype = view.dtype;
  facts.rank_known = true;
  for (const std::int64_t extent : view.shape) {
    facts.shape.push_back(extent);
  }
  return facts;
}

/// Of a single number that stands where a tensor is wanted.
[[nodiscard]] inline TensorFacts scalar_facts(DType dtype) {
  TensorFacts facts;
  facts.dtype = dtype;
  facts.rank_known = true;
  return facts;
}

}  // namespace pliant::semantics
