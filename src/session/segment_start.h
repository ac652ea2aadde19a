#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "interp/interpreter.h"
#include "session/exact_segment.h"
#include "session/segment_plans.h"

namespace pliant::session {

/// A segment for one set of ranks. Immutable but for what the parts do themselves.
struct SegmentVariant {
  std::vector<std::size_t> ranks;
  std::unique_ptr<SegmentPlans> plans;
  std::unique_ptr<ExactSegment> exact;  ///< null unless values of inputs decide how it goes on
};

/// A place in a program where a segment may begin, with a segment for each set of ranks that its
/// tensors have had there, as far as the verifier does not know them. Thread-safe.
class SegmentStart {
 public:
  using Ranks = std::vector<std::size_t>;

  /// Follows the name of a segment whose plans hold for single values of inputs.
  static constexpr std::string_view kExactSuffix = " by value";

  /// Instructions from `first` on, at most up to `limit`, where a label or the program's end is.
  SegmentStart(const Program& program, const plan::RegisterUses& uses, std::size_t first,
               std::size_t limit, const plan::CompileOptions& options, const Planning& planning);
  SegmentStart(const SegmentStart&) = delete;
  SegmentStart& operator=(const SegmentStart&) = delete;

  /// Whether all ranks are known here, so that it can be compiled before any run.
  [[nodiscard]] bool has_known_ranks() const { return inputs_.empty() && registers_.empty(); }
  [[nodiscard]] std::size_t limit() const { return limit_; }

  /// The segment for the ranks that a run has here; null if there is none yet.
  [[nodiscard]] const SegmentVariant* find(const interp::Execution& execution) const;

  [[nodiscard]] Ranks ranks_of(const interp::Execution& execution) const;
  /// The segment for these ranks, compiled now if it is new. Null when there have been too many
  /// different ones, or when ranks are as many as something else wants.
  const SegmentVariant* compile(const Ranks& ranks);
  /// The same, by the background thread, which is asked once.
  void request(const interp::Execution& execution);

  /// All that have been compiled.
  [[nodiscard]] std::vector<const SegmentVariant*> variants() const;

 private:
  static constexpr std::size_t kMaxVariants = 8;

  [[nodiscard]] bool matches(const Ranks& ranks, const interp::Execution& execution) const;
  [[nodiscard]] const SegmentVariant* find(const Ranks& ranks) const;
  [[nodiscard]] std::string name_of(const Ranks& ranks) const;

  const Program& program_;
  const plan::RegisterUses& uses_;
  const std::size_t first_;
  const std::size_t limit_;
  const plan::CompileOptions options_;
  const Planning& planning_;
  std::vector<int> inputs_;     ///< of unknown rank that are loaded here
  std::vector<int> registers_;  ///< of unknown rank that are read before they are written here

  // Filled one after the other and never changed then: runs read the first count_ without a lock.
  std::array<SegmentVariant, kMaxVariants> variants_;
  std::atomic<std::size_t> count_{0};

  std::mutex compiling_;          // held while a segment is compiled
  std::mutex requests_;           // never held for long
  std::vector<Ranks> requested_;  // guarded by requests_; at most kMaxVariants
};

}  // namespace pliant::session
