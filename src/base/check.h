#pragma once

#include <cstdint>

namespace pliant {

/// Prints a broken invariant with its place and aborts. Only bugs end here, never input.
[[noreturn]] void check_failed(const char* file, int line, const char* text);
[[noreturn]] void check_failed(const char* file, int line, const char* text, std::int64_t a,
                               std::int64_t b);

}  // namespace pliant

// No standard library here: kernels compiled for one CPU level include this header, and a template
// instantiated there could be the copy that the linker keeps for every level.

/// Aborts when an invariant of our own is broken. No input may reach one.
#define PLIANT_CHECK(condition)                               \
  do {                                                        \
    if (!(condition)) [[unlikely]] {                          \
      ::pliant::check_failed(__FILE__, __LINE__, #condition); \
    }                                                         \
  } while (false)

#define PLIANT_CHECK_COMPARE(a, op, b)                                                   \
  do {                                                                                   \
    const auto pliant_a = static_cast<std::int64_t>(a);                                  \
    const auto pliant_b = static_cast<std::int64_t>(b);                                  \
    if (!(pliant_a op pliant_b)) [[unlikely]] {                                          \
      ::pliant::check_failed(__FILE__, __LINE__, #a " " #op " " #b, pliant_a, pliant_b); \
    }                                                                                    \
  } while (false)

/// Comparisons of integers that print both values.
#define PLIANT_CHECK_EQ(a, b) PLIANT_CHECK_COMPARE(a, ==, b)
#define PLIANT_CHECK_LT(a, b) PLIANT_CHECK_COMPARE(a, <, b)
#define PLIANT_CHECK_LE(a, b) PLIANT_CHECK_COMPARE(a, <=, b)

#ifdef PLIANT_ENABLE_DCHECK
#define PLIANT_DCHECK(condition) PLIANT_CHECK(condition)
#else
#define PLIANT_DCHECK(condition) static_cast<void>(sizeof(!(condition)))
#endif
