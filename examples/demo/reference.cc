#include "reference.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace demo {

namespace {

/// Rows of doubles.
struct Matrix {
  std::int64_t rows;
  std::int64_t columns;
  std::vector<double> elements = std::vector<double>(static_cast<std::size_t>(rows * columns));

  [[nodiscard]] double* row(std::int64_t i) { return elements.data() + i * columns; }
  [[nodiscard]] const double* row(std::int64_t i) const { return elements.data() + i * columns; }
};

/// Calls `body(row)` for each row, on all cores.
template <class Body>
void for_each_row(std::int64_t rows, const Body& body) {
  const auto threads = static_cast<std::int64_t>(std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::jthread> workers;
  for (std::int64_t t = 0; t < threads; ++t) {
    workers.emplace_back([=] {
      for (std::int64_t i = t; i < rows; i += threads) {
        body(i);
      }
    });
  }
}

Matrix linear(const Matrix& x, const Weight& weight, const Weight& bias) {
  const std::vector<float> w = weight.values();
  const std::vector<float> b = bias.values();
  Matrix y{x.rows, weight.shape[1]};
  for_each_row(x.rows, [&](std::int64_t i) {
    double* row = y.row(i);
    std::copy(b.begin(), b.end(), row);
    for (std::int64_t k = 0; k < x.columns; ++k) {
      const double factor = x.row(i)[k];
      const float* w_row = w.data() + k * y.columns;
      for (std::int64_t j = 0; j < y.columns; ++j) {
        row[j] += factor * static_cast<double>(w_row[j]);
      }
    }
  });
  return y;
}

void normalise(Matrix& x, const Weight& scale, const Weight& bias) {
  const std::vector<float> gamma = scale.values();
  const std::vector<float> beta = bias.values();
  const auto columns = static_cast<double>(x.columns);
  for (std::int64_t i = 0; i < x.rows; ++i) {
    double* row = x.row(i);
    double mean = 0;
    for (std::int64_t j = 0; j < x.columns; ++j) {
      mean += row[j] / columns;
    }
    double variance = 0;
    for (std::int64_t j = 0; j < x.columns; ++j) {
      variance += (row[j] - mean) * (row[j] - mean) / columns;
    }
    const double factor = 1 / std::sqrt(variance + static_cast<double>(kNormEpsilon));
    for (std::int64_t j = 0; j < x.columns; ++j) {
      const auto column = static_cast<std::size_t>(j);
      row[j] = (row[j] - mean) * factor * static_cast<double>(gamma[column]) +
               static_cast<double>(beta[column]);
    }
  }
}

void add(Matrix& to, const Matrix& x) {
  for (std::size_t i = 0; i < to.elements.size(); ++i) {
    to.elements[i] += x.elements[i];
  }
}

/// softmax(q k^T / sqrt(columns)) v for each head; heads are column ranges.
Matrix attend(const Matrix& query, const Matrix& key, const Matrix& value) {
  constexpr std::int64_t kColumns = EncoderSizes::kHeadColumns;
  Matrix result{query.rows, query.columns};
  for_each_row(query.rows, [&](std::int64_t i) {
    std::vector<double> weights(static_cast<std::size_t>(key.rows));
    for (std::int64_t head = 0; head < query.columns; head += kColumns) {
      double sum = 0;
      for (std::int64_t s = 0; s < key.rows; ++s) {
        double product = 0;
        for (std::int64_t c = head; c < head + kColumns; ++c) {
          product += query.row(i)[c] * key.row(s)[c];
        }
        // Doubles take exp of any score that occurs here without subtracting the maximum.
        weights[static_cast<std::size_t>(s)] =
            std::exp(product / std::sqrt(static_cast<double>(kColumns)));
        sum += weights[static_cast<std::size_t>(s)];
      }
      for (std::int64_t s = 0; s < key.rows; ++s) {
        for (std::int64_t c = head; c < head + kColumns; ++c) {
          result.row(i)[c] += weights[static_cast<std::size_t>(s)] / sum * value.row(s)[c];
        }
      }
    }
  });
  return result;
}

void gelu(Matrix& x) {
  for (double& element : x.elements) {
    element = 0.5 * element * (1 + std::erf(element / std::sqrt(2.0)));
  }
}

Matrix embed(const EncoderSizes& sizes, std::span<const std::int64_t> tokens) {
  const EmbeddingWeights weights = embedding_weights(sizes);
  const std::vector<float> table = weights.tokens.values();
  const std::vector<float> positions = weights.positions.values();
  Matrix x{static_cast<std::int64_t>(tokens.size()), sizes.hidden};
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const std::int64_t token = tokens[static_cast<std::size_t>(i)];
    for (std::int64_t j = 0; j < x.columns; ++j) {
      x.row(i)[j] = static_cast<double>(table[static_cast<std::size_t>(token * x.columns + j)]) +
                    static_cast<double>(positions[static_cast<std::size_t>(i * x.columns + j)]);
    }
  }
  normalise(x, weights.norm, weights.norm_bias);
  return x;
}

}  // namespace

std::vector<double> reference_encoder(const EncoderSizes& sizes,
                                      std::span<const std::int64_t> tokens) {
  Matrix x = embed(sizes, tokens);
  for (std::int64_t layer = 0; layer < sizes.layers; ++layer) {
    const LayerWeights weights = layer_weights(sizes, layer);
    const Matrix attended = attend(linear(x, weights.query, weights.query_bias),
                                   linear(x, weights.key, weights.key_bias),
                                   linear(x, weights.value, weights.value_bias));
    add(x, linear(attended, weights.output, weights.output_bias));
    normalise(x, weights.attention_norm, weights.attention_norm_bias);
    Matrix wide = linear(x, weights.widen, weights.widen_bias);
    gelu(wide);
    add(x, linear(wide, weights.narrow, weights.narrow_bias));
    normalise(x, weights.feed_forward_norm, weights.feed_forward_norm_bias);
  }
  return x.elements;
}

}  // namespace demo
