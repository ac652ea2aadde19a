#include "encoder.h"

#include <cmath>

#include "onnx_file.h"

namespace demo {

namespace {

using Names = std::vector<std::string>;

Weight matrix(const std::string& name, std::int64_t rows, std::int64_t columns) {
  // Uniform in [-1, 1) has variance 1/3: products keep the variance of what comes in.
  return {name, {rows, columns}, std::sqrt(3.0f / static_cast<float>(rows)), 0.0f};
}

Weight bias(const std::string& name, std::int64_t columns) {
  return {name, {columns}, 0.1f, 0.0f};
}

Weight norm_scale(const std::string& name, std::int64_t columns) {
  return {name, {columns}, 0.2f, 1.0f};
}

/// Writes nodes; each returns the name of its result.
class EncoderWriter {
 public:
  explicit EncoderWriter(const EncoderSizes& sizes) : sizes_(sizes) {}

  OnnxFile write() {
    file_.add_input("input_ids", OnnxFile::ElementType::kI64, {"batch", "sequence"});
    file_.add_output("last_hidden_state", OnnxFile::ElementType::kF32,
                     {"batch", "sequence", sizes_.hidden});
    file_.add_constant("axis_0", {1}, {0});
    file_.add_constant("index_0", {}, {0});
    file_.add_constant("index_1", {}, {1});
    file_.add_constant("start_0", {1}, {0});
    file_.add_constant("heads", {1}, {sizes_.heads()});
    file_.add_constant("head_columns", {1}, {EncoderSizes::kHeadColumns});
    file_.add_constant("hidden", {1}, {sizes_.hidden});
    file_.add_constant("sqrt_head_columns",
                       std::sqrt(static_cast<float>(EncoderSizes::kHeadColumns)));
    file_.add_constant("sqrt_2", std::sqrt(2.0f));
    file_.add_constant("one", 1.0f);
    file_.add_constant("half", 0.5f);

    std::string x = embedding();
    for (std::int64_t layer = 0; layer < sizes_.layers; ++layer) {
      prefix_ = "layer." + std::to_string(layer) + "/";
      const LayerWeights weights = layer_weights(sizes_, layer);
      x = attention(weights, x);
      x = feed_forward(weights, x);
    }
    file_.add_node("Identity", {x}, {"last_hidden_state"});
    return std::move(file_);
  }

 private:
  std::string node(const char* operator_name, const Names& inputs, const std::string& result,
                   const std::vector<OnnxFile::Attribute>& attributes = {}) {
    file_.add_node(operator_name, inputs, {prefix_ + result}, attributes);
    return prefix_ + result;
  }

  std::string constant(const Weight& weight) {
    file_.add_weight(weight.name, weight.shape, [weight] { return weight.values(); });
    return weight.name;
  }

  /// The extent of one axis as a vector of one element.
  std::string extent(const std::string& x, const std::string& index, const std::string& result) {
    const std::string shape = node("Shape", {x}, result + "/shape");
    const std::string scalar =
        node("Gather", {shape, index}, result + "/gather", {{"axis", std::int64_t{0}}});
    return node("Unsqueeze", {scalar, "axis_0"}, result);
  }

  std::string linear(const std::string& x, const Weight& weight, const Weight& bias,
                     const std::string& result) {
    const std::string product = node("MatMul", {x, constant(weight)}, result + "/matmul");
    return node("Add", {constant(bias), product}, result);
  }

  std::string norm(const std::string& x, const Weight& scale, const Weight& bias,
                   const std::string& result) {
    return node("LayerNormalization", {x, constant(scale), constant(bias)}, result,
                {{"axis", std::int64_t{-1}}, {"epsilon", kNormEpsilon}});
  }

  std::string embedding() {
    prefix_ = "embedding/";
    const EmbeddingWeights weights = embedding_weights(sizes_);
    const std::string tokens = node("Gather", {constant(weights.tokens), "input_ids"}, "tokens");
    const std::string length = extent("input_ids", "index_1", "length");
    const std::string positions =
        node("Slice", {constant(weights.positions), "start_0", length, "axis_0"}, "positions");
    return norm(node("Add", {tokens, positions}, "sum"), weights.norm, weights.norm_bias, "norm");
  }

  std::string heads(const std::string& x, const std::string& name,
                    const std::vector<std::int64_t>& order) {
    const std::string shape =
        node("Concat",
             {extent(x, "index_0", name + "/batch"), extent(x, "index_1", name + "/length"),
              "heads", "head_columns"},
             name + "/split_shape", {{"axis", std::int64_t{0}}});
    return node("Transpose", {node("Reshape", {x, shape}, name + "/split")}, name + "/heads",
                {{"perm", order}});
  }

  std::string attention(const LayerWeights& weights, const std::string& x) {
    const std::string query =
        heads(linear(x, weights.query, weights.query_bias, "query"), "query", {0, 2, 1, 3});
    const std::string key =
        heads(linear(x, weights.key, weights.key_bias, "key"), "key", {0, 2, 3, 1});
    const std::string value =
        heads(linear(x, weights.value, weights.value_bias, "value"), "value", {0, 2, 1, 3});
    const std::string scores =
        node("Div", {node("MatMul", {query, key}, "products"), "sqrt_head_columns"}, "scores");
    const std::string weighted =
        node("MatMul", {node("Softmax", {scores}, "softmax", {{"axis", std::int64_t{-1}}}), value},
             "weighted");
    const std::string rows =
        node("Transpose", {weighted}, "rows", {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
    const std::string shape = node(
        "Concat",
        {extent(rows, "index_0", "join/batch"), extent(rows, "index_1", "join/length"), "hidden"},
        "join/shape", {{"axis", std::int64_t{0}}});
    const std::string joined = node("Reshape", {rows, shape}, "joined");
    const std::string output = linear(joined, weights.output, weights.output_bias, "output");
    return norm(node("Add", {output, x}, "attention"), weights.attention_norm,
                weights.attention_norm_bias, "attention_norm");
  }

  std::string feed_forward(const LayerWeights& weights, const std::string& x) {
    const std::string wide = linear(x, weights.widen, weights.widen_bias, "widen");
    // GELU: 0.5 x (1 + erf(x / sqrt 2)).
    const std::string erf = node("Erf", {node("Div", {wide, "sqrt_2"}, "gelu/div")}, "gelu/erf");
    const std::string product =
        node("Mul", {wide, node("Add", {erf, "one"}, "gelu/add")}, "gelu/mul");
    const std::string gelu = node("Mul", {product, "half"}, "gelu");
    const std::string narrow = linear(gelu, weights.narrow, weights.narrow_bias, "narrow");
    return norm(node("Add", {narrow, x}, "feed_forward"), weights.feed_forward_norm,
                weights.feed_forward_norm_bias, "feed_forward_norm");
  }

  const EncoderSizes& sizes_;
  OnnxFile file_;
  std::string prefix_;
};

}  // namespace

double EncoderSizes::flops(std::int64_t length) const {
  const auto h = static_cast<double>(hidden);
  const auto n = static_cast<double>(length);
  const double linear = 4 * h * h + 2 * h * static_cast<double>(feed_forward());
  return static_cast<double>(layers) * n * 2 * (linear + 2 * n * h);
}

std::vector<float> Weight::values() const {
  std::uint64_t seed = 0xcbf29ce484222325;  // FNV-1a over the name
  for (const char c : name) {
    seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  std::size_t count = 1;
  for (const std::int64_t extent : shape) {
    count *= static_cast<std::size_t>(extent);
  }
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    // splitmix64 of the index; the upper 24 bits are exact in a float.
    std::uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    const float unit =
        static_cast<float>(static_cast<std::int32_t>(z >> 40) - (1 << 23)) * 0x1p-23f;
    values[i] = offset + scale * unit;
  }
  return values;
}

LayerWeights layer_weights(const EncoderSizes& sizes, std::int64_t layer) {
  const std::string name = "layer." + std::to_string(layer) + ".";
  const std::int64_t hidden = sizes.hidden;
  const std::int64_t wide = sizes.feed_forward();
  return {.query = matrix(name + "query.weight", hidden, hidden),
          .query_bias = bias(name + "query.bias", hidden),
          .key = matrix(name + "key.weight", hidden, hidden),
          .key_bias = bias(name + "key.bias", hidden),
          .value = matrix(name + "value.weight", hidden, hidden),
          .value_bias = bias(name + "value.bias", hidden),
          .output = matrix(name + "output.weight", hidden, hidden),
          .output_bias = bias(name + "output.bias", hidden),
          .attention_norm = norm_scale(name + "attention_norm.weight", hidden),
          .attention_norm_bias = bias(name + "attention_norm.bias", hidden),
          .widen = matrix(name + "widen.weight", hidden, wide),
          .widen_bias = bias(name + "widen.bias", wide),
          .narrow = matrix(name + "narrow.weight", wide, hidden),
          .narrow_bias = bias(name + "narrow.bias", hidden),
          .feed_forward_norm = norm_scale(name + "feed_forward_norm.weight", hidden),
          .feed_forward_norm_bias = bias(name + "feed_forward_norm.bias", hidden)};
}

EmbeddingWeights embedding_weights(const EncoderSizes& sizes) {
  return {.tokens = {"embedding.tokens", {sizes.vocabulary, sizes.hidden}, 1.0f, 0.0f},
          .positions = {"embedding.positions", {sizes.positions, sizes.hidden}, 0.5f, 0.0f},
          .norm = norm_scale("embedding.norm.weight", sizes.hidden),
          .norm_bias = bias("embedding.norm.bias", sizes.hidden)};
}

pliant::Status write_encoder(const EncoderSizes& sizes, const std::string& path) {
  constexpr std::int64_t kOpset = 17;
  return EncoderWriter(sizes).write().write(path, kOpset);
}

}  // namespace demo
