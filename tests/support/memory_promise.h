#pragma once

#include <string>
#include <string_view>

namespace pliant::testing {

/// What memory maps in a text of Session::explain() amount to.
struct MemoryPromise {
  int maps = 0;            ///< plans that need an arena
  double worst_ratio = 0;  ///< of an arena to the largest sum of blocks needed at one step
  std::string broken{};    ///< the promise that is not kept, in words; or empty
};

/// An arena may take 1.1 times the largest sum of blocks that one step needs, and 64 bytes for each
/// block of the step that needs most of them.
[[nodiscard]] MemoryPromise check_memory(std::string_view explanation);

}  // namespace pliant::testing
