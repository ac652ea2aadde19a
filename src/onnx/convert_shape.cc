#include "onnx/converters.h"

// Operators that look at shapes or change them.

namespace pliant::onnx {
namespace {

constexpr auto kLiteralZero = isa::ZeroExtent::kLiteral;

Operand reshape(Node& node, const Operand& x, std::vector<Operand> shape) {
  return node.emit<isa::Reshape>({x, isa::list(std::move(shape))},
                                 {{"zero", isa::choice(kLiteralZero)}});
}

Operand transpose(Node& node, const Operand& x, const std::vector<std::int64_t>& perm) {
  return node.emit<isa::Transpose>({x}, {{"perm", isa::numbers(perm)}});
}

/// Extents of an image [batch, channels, height, width] and the size of the blocks it is cut into.
struct BlockedImage {
  Operand x, batch, channels, height, width, block, block_area;
};

bool read_blocked_image(Node& node, BlockedImage& image) {
  image.x = node.input(0);
  const std::int64_t block = node.required_integer("blocksize");
  if (node.emitter().failed()) {
    return false;
  }
  if (block < 1 || block > INT32_MAX) {
    node.refuse(ErrorCode::kCorrupt, "blocksize is out of range");
    return false;
  }
  if (const auto rank = node.rank(image.x); rank && *rank != 4) {
    node.refuse(ErrorCode::kShapeMismatch, "the input has not four axes");
    return false;
  }
  image.block = isa::number(block);
  image.block_area = isa::number(block * block);
  image.batch = node.emitter().extent(image.x, 0);
  image.channels = node.emitter().extent(image.x, 1);
  image.height = node.emitter().extent(image.x, 2);
  image.width = node.emitter().extent(image.x, 3);
  return true;
}

}  // namespace

void convert_shape(Node& node) {
  const Operand end = node.has_attribute("end") ? isa::number(node.integer("end", 0)) : Operand{};
  node.set_output(
      0, node.emit<isa::ShapeOf>({node.input(0)},
                                 {{"start", isa::number(node.integer("start", 0))}, {"end", end}}));
}

void convert_size(Node& node) {
  node.set_output(0, node.emit<isa::CountOf>({node.input(0)}));
}

void convert_reshape(Node& node) {
  const auto zero = node.flag("allowzero", false) ? kLiteralZero : isa::ZeroExtent::kCopy;
  node.set_output(
      0, node.emit<isa::Reshape>({node.input(0), node.sizes(1)}, {{"zero", isa::choice(zero)}}));
}

void convert_flatten(Node& node) {
  node.set_output(0, node.emit<isa::Flatten>({node.input(0)},
                                             {{"axis", isa::number(node.integer("axis", 1))}}));
}

void convert_transpose(Node& node) {
  node.set_output(0, node.emit<isa::Transpose>({node.input(0)}, {{"perm", node.integers("perm")}}));
}

void convert_expand(Node& node) {
  node.set_output(0, node.emit<isa::BroadcastTo>({node.input(0), node.sizes(1)},
                                                 {{"rule", isa::choice(isa::Broadcast::kMutual)}}));
}

void convert_squeeze_attribute(Node& node) {
  node.set_output(0, node.emit<isa::Squeeze>({node.input(0)}, {{"axis", node.integers("axes")}}));
}

void convert_squeeze_input(Node& node) {
  node.set_output(0, node.emit<isa::Squeeze>({node.input(0)}, {{"axis", node.optional_sizes(1)}}));
}

void convert_unsqueeze_attribute(Node& node) {
  if (!node.has_attribute("axes")) {
    node.refuse(ErrorCode::kCorrupt, "a required attribute is missing: axes");
    return;
  }
  node.set_output(0, node.emit<isa::Unsqueeze>({node.input(0)}, {{"axis", node.integers("axes")}}));
}

void convert_unsqueeze_input(Node& node) {
  node.set_output(0, node.emit<isa::Unsqueeze>({node.input(0)}, {{"axis", node.sizes(1)}}));
}

/// Channels become blocks of pixels. DCR takes the block's place from the outer part of the channel
/// number, CRD from the inner part.
void convert_depth_to_space(Node& node) {
  BlockedImage image;
  if (!read_blocked_image(node, image)) {
    return;
  }
  const std::string mode = node.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") {
    node.refuse(ErrorCode::kCorrupt, "mode is neither DCR nor CRD");
    return;
  }
  Emitter& emitter = node.emitter();
  const auto& [x, n, c, h, w, block, area] = image;
  const Operand outputs = emitter.size(isa::Opcode::kSizeDivide, c, area);
  Operand pixels;
  if (mode == "DCR") {
    pixels =
        transpose(node, reshape(node, x, {n, block, block, outputs, h, w}), {0, 3, 4, 1, 5, 2});
  } else {
    pixels =
        transpose(node, reshape(node, x, {n, outputs, block, block, h, w}), {0, 1, 4, 2, 5, 3});
  }
  node.set_output(0, reshape(node, pixels,
                             {n, outputs, emitter.size(isa::Opcode::kSizeMultiply, h, block),
                              emitter.size(isa::Opcode::kSizeMultiply, w, block)}));
}

/// Blocks of pixels become channels; the place in the block is the outer part of the channel
/// number.
void convert_space_to_depth(Node& node) {
  BlockedImage image;
  if (!read_blocked_image(node, image)) {
    return;
  }
  Emitter& emitter = node.emitter();
  const auto& [x, n, c, h, w, block, area] = image;
  const Operand rows = emitter.size(isa::Opcode::kSizeDivide, h, block);
  const Operand columns = emitter.size(isa::Opcode::kSizeDivide, w, block);
  const Operand pixels =
      transpose(node, reshape(node, x, {n, c, rows, block, columns, block}), {0, 3, 5, 1, 2, 4});
  node.set_output(
      0,
      reshape(node, pixels, {n, emitter.size(isa::Opcode::kSizeMultiply, c, area), rows, columns}));
}

}  // namespace pliant::onnx
