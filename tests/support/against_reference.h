#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/kernel.h"
#include "support/backwards_for.h"

namespace pliant::testing {

/// Bytes that depend on the seed alone.
[[nodiscard]] inline std::vector<std::byte> random_bytes(std::size_t count, std::uint32_t seed) {
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) {
    seed = seed * 1664525u + 1013904223u;
    byte = static_cast<std::byte>(seed >> 24);
  }
  return bytes;
}

/// Expects `run(result, context)` to write the bytes that `reference(result)` writes, in one piece and
/// in many, and to touch nothing around them. `bytes` is the size of the result; scratch memory is
/// filled with bytes that mean nothing.
template <class Run, class Reference>
void expect_bytes_of_reference(std::size_t bytes, std::size_t scratch_bytes, CpuLevel level,
                               Run run, Reference reference) {
  constexpr std::size_t kAround = 256;
  std::vector<std::byte> expected(bytes + 2 * kAround, std::byte{7});
  reference(expected.data() + kAround);
  SerialFor serial;
  BackwardsFor backwards;
  BackwardsFor one_by_one(1);
  std::vector<ParallelFor*> loops = {&serial, &backwards};
  if (bytes < 20000) {
    loops.push_back(&one_by_one);
  }
  for (ParallelFor* loop : loops) {
    std::vector<std::byte> actual(bytes + 2 * kAround, std::byte{7});
    std::vector<std::uint64_t> scratch(scratch_bytes / 8 + 1, 0xfff7fff7fff7fff7u);
    run(actual.data() + kAround,
        kernels::KernelContext{*loop, reinterpret_cast<std::byte*>(scratch.data()), level});
    EXPECT_TRUE(actual == expected);
  }
}

}  // namespace pliant::testing
