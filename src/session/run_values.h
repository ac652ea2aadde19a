#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interp/interpreter.h"
#include "plan/deciding_entries.h"

namespace pliant::session {

/// What a run says about the entries that a segment may want to be exact.
class RunValues {
 public:
  /// Copies what is needed, so that it can be asked after the run.
  RunValues(const Program& program, const interp::Execution& execution);

  [[nodiscard]] std::optional<std::int64_t> of(const plan::EntryKey& entry) const;

 private:
  std::vector<Shape> shapes_;                        ///< by input
  std::vector<std::vector<std::int64_t>> elements_;  ///< by input; empty where there are many
  std::vector<std::int64_t> symbols_;                ///< by symbol
};

}  // namespace pliant::session
