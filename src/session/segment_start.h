#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "interp/interpreter.h"
#include "session/segment.h"

namespace pliant::session {

/// A place in a program where a segment may begin, with a segment for each set of ranks that its
/// tensors have had there. Thread-safe.
class SegmentStart {
 public:
  /// Instructions from `first` on, at most up to `limit`, where a label or the program's end is.
  SegmentStart(const Program& program, const plan::RegisterUses& uses, std::size_t first,
               std::size_t limit, const plan::CompileOptions& options);

  /// Whether its ranks all follow from declarations, so that it can be compiled before any run.
  [[nodiscard]] bool has_known_ranks() const { return inputs_.empty() && registers_.empty(); }
  /// Compiles the one segment of a start with known ranks.
  void prepare();

  /// The segment for the ranks that a run has here; compiled now if it is new. Null when there
  /// have been too many different ones.
  [[nodiscard]] std::shared_ptr<const Segment> segment_for(const interp::Execution& execution);

  /// All that have been compiled.
  [[nodiscard]] std::vector<std::shared_ptr<const Segment>> segments() const;

 private:
  static constexpr std::size_t kMaxVariants = 8;
  using Ranks = std::vector<std::size_t>;

  [[nodiscard]] std::shared_ptr<const Segment> compile(const Ranks& ranks) const;

  const Program& program_;
  const plan::RegisterUses& uses_;
  const std::size_t first_;
  const std::size_t limit_;
  const plan::CompileOptions options_;
  std::vector<int> inputs_;     ///< of unknown rank that are loaded here
  std::vector<int> registers_;  ///< that are read before they are written here

  mutable std::mutex mutex_;
  std::map<Ranks, std::shared_ptr<const Segment>> variants_;  // guarded by mutex_
};

}  // namespace pliant::session
