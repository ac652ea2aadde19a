#pragma once

#include <optional>

#include "semantics/inference_context.h"

namespace pliant::semantics {

/// Elements of the first result of an instruction that `context` has just inferred, in row-major
/// order, where they follow from what is known: so that chains such as SHAPE_OF, GATHER, CONCAT
/// become expressions that RESHAPE at their end can read. Empty for other instructions, for types
/// other than integers and bool, for more than kMaxKnownElements, and where an element is not known.
///
/// Elements are those of exact arithmetic; whoever uses them for a type narrower than 64 bits must
/// see to it that they fit.
[[nodiscard]] std::optional<ExtentList> result_elements(const InferenceContext& context);

/// Longer tensors are not followed.
inline constexpr std::int64_t kMaxKnownElements = 64;

}  // namespace pliant::semantics
