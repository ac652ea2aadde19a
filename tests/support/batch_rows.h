#pragma once

#include <cstdint>
#include <string>

#include <pliant/session.h>

#include "support/made_inputs.h"

namespace pliant::testing {

struct BatchResult {
  int rows = 0;             ///< that were compared
  std::string complaint{};  ///< where a row differs from the same row alone; or empty
};

/// Runs a batch of that many rows, at least 2, then each of its rows alone, by plans of all tiers: a
/// row has to have the same bits. The axis of an output in which its shapes differ is the batch. The
/// maker has a batch; no rows are compared where the model refuses it.
[[nodiscard]] BatchResult compare_rows(Session& session, const InputMaker& maker,
                                       std::int64_t batch);

}  // namespace pliant::testing
