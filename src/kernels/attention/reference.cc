#include <cmath>
#include <limits>

#include "kernels/attention/attention.h"

namespace pliant::kernels::attention {

template <class T>
void attention_reference(const AttentionArguments& g, const KernelContext& context) {
  const std::int64_t group = g.heads / g.key_heads;
  context.parallel.run(
      g.batch * g.heads * g.queries, 1, [&](std::int64_t begin, std::int64_t end, int worker) {
        double* scores = reinterpret_cast<double*>(context.scratch) + worker * g.keys;
        for (std::int64_t row = begin; row < end; ++row) {
          const std::int64_t b = row / (g.heads * g.queries);
          const std::int64_t h = row / g.queries % g.heads;
          const std::int64_t i = row % g.queries;
          const auto element = [b](const void* data, const std::int64_t(&strides)[4],
                                   std::int64_t head, std::int64_t token, std::int64_t at) {
            return static_cast<double>(static_cast<const T*>(
                data)[b * strides[0] + head * strides[1] + token * strides[2] + at * strides[3]]);
          };
          const std::int64_t seen = seen_keys(g, i);
          double most = -std::numeric_limits<double>::infinity();
          for (std::int64_t key = 0; key < seen; ++key) {
            double score = 0;
            for (std::int64_t at = 0; at < g.width; ++at) {
              score += element(g.q, g.q_strides, h, i, at) *
                       element(g.k, g.k_strides, h / group, key, at);
            }
            score *= g.scale;
            if (g.softcap > 0) {
              score = g.softcap * std::tanh(score / g.softcap);
            }
            if (g.mask_kind == MaskKind::kAdded) {
              score += element(g.mask, g.mask_strides, h, i, key);
            } else if (g.mask_kind == MaskKind::kBool) {
              const bool* mask = static_cast<const bool*>(g.mask);
              const bool visible = mask[b * g.mask_strides[0] + h * g.mask_strides[1] +
                                        i * g.mask_strides[2] + key * g.mask_strides[3]];
              score = visible ? score : -std::numeric_limits<double>::infinity();
            }
            scores[key] = score;
            most = score > most || std::isnan(score) ? score : most;
          }
          const bool none = seen == 0 || most == -std::numeric_limits<double>::infinity();
          const std::int64_t weighed = !none ? seen : g.masked == MaskedRow::kZero ? 0 : g.keys;
          double sum = 0;
          for (std::int64_t key = 0; key < weighed; ++key) {
            scores[key] = !none ? std::exp(scores[key] - most) : g.masked == MaskedRow::kMean;
            sum += scores[key];
          }
          for (std::int64_t at = 0; at < g.value_width; ++at) {
            double result = 0;
            for (std::int64_t key = 0; key < weighed; ++key) {
              result += scores[key] * element(g.v, g.v_strides, h / group, key, at);
            }
            static_cast<T*>(g.dst)[b * g.dst_strides[0] + h * g.dst_strides[1] +
                                   i * g.dst_strides[2] + at * g.dst_strides[3]] =
                static_cast<T>(weighed == 0 ? 0 : result / sum);
          }
        }
      });
}

template void attention_reference<float>(const AttentionArguments&, const KernelContext&);
template void attention_reference<double>(const AttentionArguments&, const KernelContext&);

}  // namespace pliant::kernels::attention
