#include <limits>

#include "onnx/converters.h"

// Attention and rotary embedding. The instructions know the layout [batch, heads, tokens, width];
// the layout [batch, tokens, heads * width] is brought into it and back.

namespace pliant::onnx {
namespace {

Operand split_heads(Node& node, const Operand& x, std::int64_t heads) {
  const Operand shape = isa::numbers(std::vector<std::int64_t>{0, 0, heads, -1});
  const Operand split = node.emit<isa::Reshape>({x, shape});
  return node.emit<isa::Transpose>({split}, {{"perm", isa::numbers(std::vector<int>{0, 2, 1, 3})}});
}

Operand join_heads(Node& node, const Operand& x) {
  const Operand tokens_first =
      node.emit<isa::Transpose>({x}, {{"perm", isa::numbers(std::vector<int>{0, 2, 1, 3})}});
  return node.emit<isa::Reshape>({tokens_first, isa::numbers(std::vector<int>{0, 0, -1})});
}

/// x in the instruction's layout; heads come from the attribute `name` when x has three axes.
Operand with_heads(Node& node, const Operand& x, const char* name) {
  if (node.emitter().failed() || node.known_rank(x) != 3) {
    return x;
  }
  const std::int64_t heads = node.required_integer(name);
  if (heads < 1) {
    node.refuse(ErrorCode::kCorrupt, std::string(name) + " is out of range");
  }
  return split_heads(node, x, heads);
}

Operand with_past(Node& node, int past, const Operand& x) {
  return node.has_input(past) ? node.emit<isa::Concat>({isa::list({node.input(past), x})},
                                                       {{"axis", isa::number(2)}})
                              : x;
}

bool equally_long(Node& node, const Operand& q, const Operand& k) {
  const auto queries = node.emitter().shape(q);
  const auto keys = node.emitter().shape(k);
  return queries && keys && queries->size() == 4 && keys->size() == 4 &&
         (*queries)[2] == (*keys)[2];
}

/// A mask [queries, keys] under which query i sees the keys up to i, joined with the node's own
/// mask. The instruction's `causal` aligns the last query with the last key, which is the same when
/// there are as many, and what is meant when there is a past.
Operand causal_mask(Node& node, const Operand& q, const Operand& k, const Operand& mask) {
  Emitter& emitter = node.emitter();
  const Operand shape = isa::list({emitter.extent(q, 2), emitter.extent(k, 2)});
  const Operand all = node.emit<isa::Fill>({emitter.scalar(DType::kBool, 1.0), shape});
  Operand seen = node.emit<isa::Triangular>({all}, {{"keep", isa::choice(isa::Triangle::kLower)}});
  if (!mask.given()) {
    return seen;
  }
  if (node.dtype(mask) == DType::kBool) {
    return node.emit<isa::ElementwiseAnd>({mask, seen});
  }
  const Operand hidden = emitter.scalar(node.dtype(mask), -std::numeric_limits<double>::infinity());
  return node.emit<isa::ElementwiseSelect>({seen, mask, hidden});
}

}  // namespace

void convert_attention(Node& node) {
  const bool joined = !node.emitter().failed() && node.rank(node.input(0)) == 3;
  const Operand q = with_heads(node, node.input(0), "q_num_heads");
  const Operand k = with_past(node, 4, with_heads(node, node.input(1), "kv_num_heads"));
  const Operand v = with_past(node, 5, with_heads(node, node.input(2), "kv_num_heads"));
  if (node.emitter().failed()) {
    return;
  }
  Operand mask = node.optional_input(3);
  bool causal = node.flag("is_causal", false);
  if (causal && !node.has_input(4) && !equally_long(node, q, k)) {
    mask = causal_mask(node, q, k, mask);
    causal = false;
  }
  Emitter::Fields fields = {{"mask", mask},
                            {"causal", isa::flag(causal)},
                            {"softcap", isa::real(node.real("softcap", 0.0))}};
  if (node.has_attribute("scale")) {
    fields.push_back({"scale", isa::real(node.real("scale", 0.0))});
  }
  const Operand result = node.emit<isa::Attention>({q, k, v}, std::move(fields));
  node.set_output(0, joined ? join_heads(node, result) : result);
  node.set_output(1, k);
  node.set_output(2, v);
}

void convert_rotary_embedding(Node& node) {
  const Operand x = node.input(0);
  if (node.emitter().failed()) {
    return;
  }
  const bool joined = node.known_rank(x) == 3;
  const Operand result =
      node.emit<isa::Rotary>({with_heads(node, x, "num_heads"), node.input(1), node.input(2)},
                             {{"positions", node.optional_input(3)},
                              {"rotated", isa::number(node.integer("rotary_embedding_dim", 0))},
                              {"interleaved", isa::flag(node.flag("interleaved", false))}});
  node.set_output(0, joined ? join_heads(node, result) : result);
}

}  // namespace pliant::onnx
