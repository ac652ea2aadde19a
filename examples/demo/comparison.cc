#include "comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "report.h"

namespace demo {
namespace {

/// A way to serve a request of a length: which tier, and at what length it is run.
struct Way {
  const char* name;
  pliant::Tier tier;
  std::int64_t (*run_length)(std::int64_t length, std::int64_t longest);
};

std::int64_t as_it_is(std::int64_t length, std::int64_t) {
  return length;
}
std::int64_t to_the_longest(std::int64_t, std::int64_t longest) {
  return longest;
}
std::int64_t to_a_bucket(std::int64_t length, std::int64_t longest) {
  const auto bucket = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(length)));
  return std::min(bucket, longest);
}

constexpr Way kWays[] = {
    {"padded to the longest", pliant::Tier::kAuto, to_the_longest},
    {"padded to powers of two", pliant::Tier::kAuto, to_a_bucket},
    {"interpreted, not padded", pliant::Tier::kInterpreter, as_it_is},
    {"plans, not padded", pliant::Tier::kAuto, as_it_is},
};
constexpr std::size_t kWayCount = std::size(kWays);

/// The tokens of a request with zeros up to `length` behind each sequence.
pliant::Result<pliant::Tensor> padded_tokens(const Request& request, std::int64_t length) {
  std::vector<std::int64_t> tokens(static_cast<std::size_t>(request.batch * length), 0);
  for (std::int64_t i = 0; i < request.batch; ++i) {
    std::copy_n(request.sequence(i).begin(), request.length,
                tokens.begin() + static_cast<std::ptrdiff_t>(i * length));
  }
  const std::int64_t shape[] = {request.batch, length};
  return pliant::Tensor::copy_of<std::int64_t>(pliant::DType::kI64, shape, tokens);
}

struct Total {
  double seconds = 0;
  std::int64_t tokens_run = 0;
};

void print_table(const std::array<Total, kWayCount>& totals, std::int64_t useful_tokens) {
  const double plans = totals[kWayCount - 1].seconds;
  fmt::print("  {:<26}{:>10}{:>12}{:>18}{:>16}\n", "", "seconds", "x plans", "useful tokens/s",
             "useful tokens");
  for (std::size_t way = 0; way < kWayCount; ++way) {
    const Total& total = totals[way];
    fmt::print("  {:<26}{:>10.2f}{:>12.2f}{:>18.0f}{:>14.0f} %\n", kWays[way].name, total.seconds,
               total.seconds / plans, static_cast<double>(useful_tokens) / total.seconds,
               100.0 * static_cast<double>(useful_tokens) / static_cast<double>(total.tokens_run));
  }
}

}  // namespace

pliant::Status compare_ways(pliant::Session& session, const std::vector<Request>& requests,
                            std::int64_t longest) {
  fmt::print("\nThe same {} requests in four ways, taking turns\n", requests.size());
  std::array<Total, kWayCount> totals{};
  std::int64_t useful_tokens = 0;
  {
    Progress progress("compared", static_cast<std::int64_t>(requests.size()));
    std::int64_t done = 0;
    for (const Request& request : requests) {
      useful_tokens += request.batch * request.length;
      for (std::size_t way = 0; way < kWayCount; ++way) {
        const std::int64_t length = kWays[way].run_length(request.length, longest);
        auto tokens = padded_tokens(request, length);
        if (!tokens) {
          return tokens.error();
        }
        const pliant::NamedTensor inputs[] = {{"input_ids", *tokens}};
        const auto start = Clock::now();
        auto outputs = session.run(inputs, {.tier = kWays[way].tier});
        totals[way].seconds += seconds_since(start);
        totals[way].tokens_run += request.batch * length;
        if (!outputs) {
          return outputs.error();
        }
      }
      progress.show(++done);
    }
  }
  print_table(totals, useful_tokens);
  return {};
}

}  // namespace demo
