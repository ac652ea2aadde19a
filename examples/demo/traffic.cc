#include "traffic.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace demo {

std::vector<Request> make_traffic(const TrafficOptions& options, const EncoderSizes& sizes) {
  // The standard fixes what mt19937_64 gives, but not what its distributions do; so none is used.
  std::mt19937_64 random(options.seed);
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
  };
  const double low = std::log(static_cast<double>(options.shortest));
  const double high = std::log(static_cast<double>(options.longest) + 1);

  std::vector<Request> requests;
  for (std::int64_t i = 0; i < options.requests; ++i) {
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    const auto length = static_cast<std::int64_t>(std::exp(low + (high - low) * unit));
    Request request{.batch = 1 + below(options.largest_batch),
                    .length = std::clamp(length, options.shortest, options.longest),
                    .tokens = {}};
    for (std::int64_t token = 0; token < request.batch * request.length; ++token) {
      request.tokens.push_back(below(sizes.vocabulary));
    }
    requests.push_back(std::move(request));
  }
  return requests;
}

}  // namespace demo
