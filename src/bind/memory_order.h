#pragma once

#include <optional>

#include "base/inline_vector.h"
#include "tensor/view.h"

namespace pliant::bind {

/// Axes of a tensor, outermost in memory first.
using AxisOrder = InlineVector<int, kMaxRank>;

/// The order in which a dense tensor lies in memory; empty when it is not dense.
[[nodiscard]] std::optional<AxisOrder> memory_order(const TensorView& view);

/// True when the tensor is dense in this order.
[[nodiscard]] bool follows(const TensorView& view, const AxisOrder& order);

}  // namespace pliant::bind
