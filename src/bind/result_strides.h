#pragma once

#include <span>

#include "bind/bind_context.h"

namespace pliant::bind {

/// Strides without gaps for `shape`, whose axes lie in memory in the order of `input`'s, so that
/// channels-last stays channels-last. Row-major if `input` has another shape, repeats elements or
/// runs backwards. Axes of extent 1 come first.
[[nodiscard]] Strides strides_following(const TensorView& input, const Shape& shape);

/// The same for the first input that has the shape of the result and repeats nothing.
[[nodiscard]] Strides strides_following(std::span<const BindContext::Input> inputs,
                                        const Shape& shape);
[[nodiscard]] Strides strides_following(std::span<const TensorView> inputs, const Shape& shape);

/// `view` read as a tensor of `shape`, which it broadcasts to: repeated axes get stride 0. One
/// element may have any rank.
[[nodiscard]] TensorView broadcast_view(const TensorView& view, const Shape& shape);

}  // namespace pliant::bind
