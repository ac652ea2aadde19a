#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant {

// Bounds of a program, the same for text, bytecode and the verifier. They keep what a small hostile
// file can make us allocate small, and are far above what real models need.
inline constexpr std::int64_t kMaxInstructions = 1 << 20;
inline constexpr std::int64_t kMaxRegisters = 1 << 20;
/// Of symbols, inputs and outputs, each.
inline constexpr std::int64_t kMaxDeclarations = 1 << 16;
inline constexpr std::int64_t kMaxConstants = 1 << 20;
inline constexpr std::size_t kMaxNameBytes = 65535;
/// Of all instructions together: bytecode leaves out operands that have their default.
inline constexpr std::int64_t kMaxOperands = 1 << 23;

}  // namespace pliant
