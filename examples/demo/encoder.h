#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <pliant/result.h>

namespace demo {

/// Sizes of the encoder. Heads have 64 columns, the feed-forward layer is four times as wide.
struct EncoderSizes {
  std::int64_t layers = 12;
  std::int64_t hidden = 768;
  std::int64_t vocabulary = 4096;
  std::int64_t positions = 512;

  static constexpr std::int64_t kHeadColumns = 64;
  [[nodiscard]] std::int64_t heads() const { return hidden / kHeadColumns; }
  [[nodiscard]] std::int64_t feed_forward() const { return 4 * hidden; }
  /// Multiplications and additions of all matrix products for one sequence of `length` tokens.
  [[nodiscard]] double flops(std::int64_t length) const;
};

/// A weight by name. Its elements are offset + scale * u, where u in [-1, 1) follows from the name
/// and the index, so the file and the reference computation make the same ones independently.
struct Weight {
  std::string name;
  std::vector<std::int64_t> shape;
  float scale = 0;
  float offset = 0;

  [[nodiscard]] std::vector<float> values() const;
};

/// The weights of one layer; `layer` counts from 0.
struct LayerWeights {
  Weight query, query_bias, key, key_bias, value, value_bias, output, output_bias;
  Weight attention_norm, attention_norm_bias;
  Weight widen, widen_bias, narrow, narrow_bias;
  Weight feed_forward_norm, feed_forward_norm_bias;
};
[[nodiscard]] LayerWeights layer_weights(const EncoderSizes& sizes, std::int64_t layer);

struct EmbeddingWeights {
  Weight tokens, positions, norm, norm_bias;
};
[[nodiscard]] EmbeddingWeights embedding_weights(const EncoderSizes& sizes);

inline constexpr float kNormEpsilon = 1e-5f;

/// Writes the encoder as an ONNX model, in the form that exporters give it: attention and GELU in
/// pieces, shapes computed by Shape, Gather and Concat.
///
/// Input "input_ids" i64 [batch, sequence] in [0, vocabulary), sequence <= positions; output
/// "last_hidden_state" f32 [batch, sequence, hidden]. Errors: kIo.
[[nodiscard]] pliant::Status write_encoder(const EncoderSizes& sizes, const std::string& path);

}  // namespace demo
