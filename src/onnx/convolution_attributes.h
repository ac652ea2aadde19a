#pragma once

#include "onnx/node.h"

namespace pliant::onnx {

/// The fields that convolutions and pools share: strides, dilations, and pads or auto_pad.
[[nodiscard]] Emitter::Fields window_fields(Node& node);

/// The convolution row for one to three spatial axes, by the rank of the weights or else of x.
[[nodiscard]] isa::Opcode convolution_row(Node& node, const Operand& x, const Operand& weights);

}  // namespace pliant::onnx
