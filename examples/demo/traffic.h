#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "encoder.h"

namespace demo {

/// One request: `batch` sequences of `length` tokens, one after the other.
struct Request {
  std::int64_t batch;
  std::int64_t length;
  std::vector<std::int64_t> tokens;

  [[nodiscard]] std::span<const std::int64_t> sequence(std::int64_t index) const {
    return std::span(tokens).subspan(static_cast<std::size_t>(index * length),
                                     static_cast<std::size_t>(length));
  }
};

struct TrafficOptions {
  std::int64_t requests = 100;
  std::int64_t shortest = 8;
  std::int64_t longest = 256;
  std::int64_t largest_batch = 4;
  std::uint64_t seed = 1;
};

/// A stream of requests as services see them: short ones are more frequent than long ones (the
/// logarithm of the length is uniform), batch sizes are uniform in 1..largest_batch. The same
/// options give the same stream.
[[nodiscard]] std::vector<Request> make_traffic(const TrafficOptions& options,
                                                const EncoderSizes& sizes);

}  // namespace demo
