#include "support/size_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "support/bit_difference.h"

namespace pliant::testing {
namespace {

using Random = std::mt19937_64;
using Sizes = std::vector<std::int64_t>;

struct Range {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// 0..width, width + 1..2 * width, …; whether 0 and 1 have boxes of their own is the plan's business.
Range bucket_of(std::int64_t size, std::int64_t width) {
  if (size <= width) {
    return {0, width};
  }
  const std::int64_t before = (size - 1) / width * width;
  return {before + 1, before + width};
}

bool ran_out_of_memory(const Result<std::vector<Tensor>>& answer) {
  return !answer && answer.error().code == ErrorCode::kResourceExhausted;
}

/// Of the tier, or of the model: whoever asks knows which.
bool is_refusal(const Result<std::vector<Tensor>>& answer) {
  return !answer && answer.error().code == ErrorCode::kUnsupported;
}

/// Collects sizes, each once.
class Points {
 public:
  Points(std::span<const InputMaker::Symbol> symbols, std::int64_t bucket_width)
      : bucket_width_(bucket_width) {
    for (const InputMaker::Symbol& symbol : symbols) {
      recorded_.push_back(symbol.size);
      buckets_.push_back(bucket_of(symbol.size, bucket_width));
    }
    seen_.insert(recorded_);
  }

  void add(const Sizes& sizes) {
    if (seen_.insert(sizes).second) {
      points_.push_back(sizes);
    }
  }

  /// Moves some symbols together, as far as the buckets of all of them go.
  void move(std::span<const std::size_t> symbols) {
    for (std::int64_t by = -bucket_width_; by <= bucket_width_; ++by) {
      Sizes sizes = recorded_;
      const bool inside = std::ranges::all_of(symbols, [&](std::size_t symbol) {
        sizes[symbol] += by;
        return sizes[symbol] >= buckets_[symbol].low && sizes[symbol] <= buckets_[symbol].high;
      });
      if (inside) {
        add(sizes);
      }
    }
  }

  void add_random(Random& random) {
    Sizes sizes;
    for (const Range& bucket : buckets_) {
      const auto count = static_cast<std::uint64_t>(bucket.high - bucket.low) + 1;
      sizes.push_back(bucket.low + static_cast<std::int64_t>(random() % count));
    }
    add(sizes);
  }

  [[nodiscard]] std::vector<Sizes> take() { return std::move(points_); }

 private:
  const std::int64_t bucket_width_;
  Sizes recorded_;
  std::vector<Range> buckets_;
  std::set<Sizes> seen_;
  std::vector<Sizes> points_;
};

/// Requests that are tried in one go, so that their answers need not all be kept.
class Sweep {
 public:
  Sweep(Session& session, std::span<const InputMaker> recorded)
      : session_(session), recorded_(recorded) {}

  struct Point {
    std::size_t maker = 0;
    Sizes sizes;
  };

  void run(std::span<const Point> points) {
    std::vector<Request> requests;
    for (const Point& point : points) {
      requests.push_back(make(point));
    }
    struct Job {
      const Request* request;
      Tier tier;
    };
    std::vector<Job> jobs;
    for (const Request& request : requests) {
      constexpr Tier kOthers[] = {Tier::kAny, Tier::kExact, Tier::kAuto};
      jobs.push_back({&request, Tier::kBucketed});
      jobs.push_back({&request, Tier::kBucketed});  // sizes that the plan remembers
      jobs.push_back({&request, kOthers[random_() % std::size(kOthers)]});
    }
    std::ranges::shuffle(jobs, random_);
    for (const Job& job : jobs) {
      run(*job.request, job.tier);
    }
  }

  [[nodiscard]] SweepResult take_result() {
    result_.boxes = boxes_.size();
    std::set<std::string> told;
    for (const InputMaker& maker : recorded_) {
      for (const InputMaker::Symbol& symbol : maker.symbols()) {
        if (!varied_.contains(symbol.name) && told.insert(symbol.name).second) {
          result_.unvaried.push_back(symbol.name);
        }
      }
    }
    return std::move(result_);
  }

  [[nodiscard]] bool has_complaint() const { return !result_.complaint.empty(); }
  [[nodiscard]] Random& random() { return random_; }

 private:
  struct Request {
    const Point* point;
    std::vector<NamedTensor> inputs;
    Result<std::vector<Tensor>> expected;
  };

  Request make(const Point& point) {
    const InputMaker& maker = recorded_[point.maker];
    const std::uint64_t seed = random_();
    Request request = make(point, Integers::kAll, seed);
    for (const Integers integers : {Integers::kLowerHalf, Integers::kLeast}) {
      if (request.expected || !maker.has_integers()) {
        break;
      }
      Request other = make(point, integers, seed);
      if (other.expected) {
        request = std::move(other);
      }
    }
    ++result_.requests;
    if (!request.expected) {
      ++result_.refused;
      return request;
    }
    for (std::size_t i = 0; i < point.sizes.size(); ++i) {
      if (point.sizes[i] != maker.symbols()[i].size) {
        varied_.insert(maker.symbols()[i].name);
      }
    }
    return request;
  }

  Request make(const Point& point, Integers integers, std::uint64_t seed) {
    std::vector<NamedTensor> inputs = recorded_[point.maker].make(point.sizes, integers, seed);
    auto expected = session_.run(inputs, {.tier = Tier::kInterpreter});
    return {&point, std::move(inputs), std::move(expected)};
  }

  void run(const Request& request, Tier tier) {
    std::vector<SegmentRun> report;
    const auto actual = session_.run(request.inputs, {.tier = tier, .report = &report});
    if (tier != Tier::kAuto && request.expected) {
      note(request, tier, actual);
    }
    if (tier != Tier::kAuto && is_refusal(actual)) {
      return;
    }
    if (ran_out_of_memory(request.expected) || ran_out_of_memory(actual)) {
      return;  // tiers need more or less at one moment
    }
    if (tier == Tier::kBucketed && !report.empty()) {
      boxes_.insert(report.front().box);
    }
    const std::string difference = bit_difference(request.expected, actual);
    if (!difference.empty() && result_.complaint.empty()) {
      result_.complaint =
          fmt::format("tier {} at {}: {}", tier_name(tier), describe(*request.point), difference);
    }
  }

  void note(const Request& request, Tier tier, const Result<std::vector<Tensor>>& actual) {
    TierRuns& runs = result_.tiers[tier];
    if (!is_refusal(actual)) {
      ++runs.planned;
      return;
    }
    ++runs.unplanned;
    runs.refusals.try_emplace(actual.error().to_string(), describe(*request.point));
  }

  [[nodiscard]] std::string describe(const Point& point) const {
    std::string text = fmt::format("case {}", point.maker);
    for (std::size_t i = 0; i < point.sizes.size(); ++i) {
      text += fmt::format(", {} {}", recorded_[point.maker].symbols()[i].name, point.sizes[i]);
    }
    return text;
  }

  Session& session_;
  const std::span<const InputMaker> recorded_;
  Random random_{20'240'229};
  SweepResult result_;
  std::set<std::string> boxes_;
  std::set<std::string> varied_;
};

}  // namespace

void TierRuns::add(const TierRuns& more) {
  planned += more.planned;
  unplanned += more.unplanned;
  refusals.insert(more.refusals.begin(), more.refusals.end());
}

std::string to_string(const RunsByTier& runs) {
  std::string text;
  for (const auto& [tier, of_tier] : runs) {
    text += fmt::format("{}{} {} ({} refused)", text.empty() ? "" : ", ", tier_name(tier),
                        of_tier.planned + of_tier.unplanned, of_tier.unplanned);
  }
  return text;
}

std::string unexpected_refusal(const RunsByTier& runs,
                               std::initializer_list<std::string_view> known_limits) {
  for (const auto& [tier, of_tier] : runs) {
    for (const auto& [words, sizes] : of_tier.refusals) {
      const bool is_known = std::ranges::any_of(known_limits, [&](std::string_view limit) {
        return words.find(limit) != std::string::npos;
      });
      if (!is_known || of_tier.planned == 0) {
        return fmt::format("tier {} refused {} of {} runs, first at {}: {}", tier_name(tier),
                           of_tier.unplanned, of_tier.planned + of_tier.unplanned, sizes, words);
      }
    }
  }
  return "";
}

bool has_refusal(const RunsByTier& runs) {
  return std::ranges::any_of(runs, [](const auto& run) { return run.second.unplanned > 0; });
}

std::vector<Sizes> sizes_in_buckets(std::span<const InputMaker::Symbol> symbols,
                                    SweepBreadth breadth, std::uint64_t seed) {
  Points points(symbols, breadth.bucket_width);
  const std::size_t count = symbols.size();
  for (std::size_t a = 0; a < count; ++a) {
    points.move(std::vector{a});
    std::vector<std::size_t> equal;
    for (std::size_t b = 0; b < count; ++b) {
      if (symbols[a].size == symbols[b].size) {
        equal.push_back(b);
      }
      if (breadth.pairs && b < a) {
        points.move(std::vector{a, b});
      }
    }
    points.move(equal);
  }
  Random random(seed);
  for (int i = 0; i < breadth.random_points && count > 1; ++i) {
    points.add_random(random);
  }
  return points.take();
}

SweepResult sweep_sizes(Session& session, std::span<const InputMaker> recorded,
                        SweepBreadth breadth) {
  constexpr std::size_t kAtOnce = 8;
  Sweep sweep(session, recorded);
  std::vector<Sweep::Point> points;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    for (Sizes& sizes : sizes_in_buckets(recorded[i].symbols(), breadth, i)) {
      points.push_back({i, std::move(sizes)});
    }
  }
  std::ranges::shuffle(points, sweep.random());
  const std::span<const Sweep::Point> all(points);
  for (std::size_t at = 0; at < all.size() && !sweep.has_complaint(); at += kAtOnce) {
    sweep.run(all.subspan(at, std::min(kAtOnce, all.size() - at)));
  }
  return sweep.take_result();
}

}  // namespace pliant::testing
