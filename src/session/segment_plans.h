#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "cache/plan_cache.h"
#include "session/compile_policy.h"
#include "session/planning.h"
#include "session/segment.h"
#include "session/segment_counters.h"

namespace pliant::session {

/// The plans of one segment: which there are, which a run gets, and how new ones come to be.
/// Thread-safe.
class SegmentPlans {
 public:
  using CachedPlan = std::shared_ptr<const cache::CachedPlan>;

  /// Compiles a segment anew for the exact values in a box; callable by any thread.
  using CompileExact = std::function<plan::CompiledSegment(const shapes::Box&)>;

  /// `planning` is kept alive by the caller, beyond the tasks of its thread. `compile_exact` is for
  /// segments with entries that are always exact: `compiled` says what signatures they have, and
  /// each plan is compiled from the beginning for its values. Null for all others.
  SegmentPlans(plan::CompiledSegment compiled, std::string name, const Planning& planning,
               CompileExact compile_exact = nullptr);
  SegmentPlans(const SegmentPlans&) = delete;
  SegmentPlans& operator=(const SegmentPlans&) = delete;

  [[nodiscard]] const Segment& segment() const { return segment_; }
  /// How profiles, statistics and events call it.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] SegmentCounters& counters() { return counters_; }
  /// The plan for any size that was compiled at load; null where that is not the floor.
  [[nodiscard]] CachedPlan floor() const {
    return planning_.options.floor == Floor::kPlan ? any_size_ : nullptr;
  }
  /// Whether a plan can exist at all.
  [[nodiscard]] bool can_be_planned() const;
  /// Whether entries decide what the segment is, so that there is no plan for all their values.
  [[nodiscard]] bool is_exact() const { return compile_exact_ != nullptr; }

  /// A run begins: the best plan for its sizes, or null, which is the interpreter. What has become
  /// hot by this run is compiled, as the options say where.
  [[nodiscard]] CachedPlan find(shapes::Signature signature);

  /// A plan of a tier that was chosen by hand, compiled now if it is not there. Errors:
  /// kUnsupported, with the reason.
  [[nodiscard]] Result<CachedPlan> demand(Tier tier, shapes::Signature signature);

  /// Compiles a plan for a box ahead of its traffic, if it is not there. `hot.seen`: sizes inside.
  CompileOutcome prepare(const HotBox& hot);

  [[nodiscard]] SegmentStatistics statistics() const;
  [[nodiscard]] shapes::SegmentProfile profile() const { return policy_.profile(name_); }

 private:
  /// When a plan is worth having.
  enum class Worth : std::uint8_t {
    kIfItGains,  ///< its steps differ from those of the floor
    kAnyway,
  };
  struct Attempt {
    CompileOutcome outcome = CompileOutcome::kFailed;
    std::shared_ptr<const plan::Plan> plan;  ///< kPublished, kNoGain
    std::string words;                       ///< why nothing came out
  };

  /// Fills in any_size_, or why there is none.
  void make_any_size();
  [[nodiscard]] Attempt attempt(const HotBox& hot, Worth worth);
  /// Compiles for a box, nothing more.
  void compile(const HotBox& hot, Worth worth, const Segment& segment, Attempt& attempt) const;
  /// Whether a plan for the box is one for any size, which is never compiled a second time.
  [[nodiscard]] bool is_floor_box(const shapes::Box& box) const;
  /// `segment` is what the plan was compiled from.
  [[nodiscard]] bool passes_check(const Segment& segment, const plan::Plan& plan,
                                  const HotBox& hot);
  void compile_advised(const HotBox& hot);
  void on_evicted(const cache::CachedPlan& plan);
  void tell(const shapes::BreakerChange& change);
  void tell_compiled(const HotBox& hot, const Attempt& attempt, std::uint64_t nanoseconds);
  [[nodiscard]] std::string describe(const shapes::Box& box) const;
  [[nodiscard]] Error refuse(Tier tier, const std::string& reason) const;

  const std::string name_;
  const Planning& planning_;
  const Segment segment_;
  const CompileExact compile_exact_;
  SegmentCounters counters_;
  CompilePolicy policy_;
  cache::PlanCache cache_;
  bool is_watched_;    ///< whether runs are of interest to the policy
  std::mutex demand_;  // held while a demanded plan is compiled, so that it is compiled once
  // The plan for any size, or in words why there is none. Fixed at load where plans are the floor;
  // else made when somebody demands it, and guarded by demand_.
  CachedPlan any_size_;
  std::string why_not_any_size_;
};

}  // namespace pliant::session
