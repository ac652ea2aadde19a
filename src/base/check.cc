#include "base/check.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

namespace pliant {

void check_failed(const char* file, int line, const char* text) {
  std::fprintf(stderr, "pliant: internal check failed at %s:%d: %s\n", file, line, text);
  std::abort();
}

void check_failed(const char* file, int line, const char* text, std::int64_t a, std::int64_t b) {
  std::fprintf(stderr, "pliant: internal check failed at %s:%d: %s (%" PRId64 " and %" PRId64 ")\n",
               file, line, text, a, b);
  std::abort();
}

}  // namespace pliant
