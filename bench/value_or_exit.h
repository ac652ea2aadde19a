#pragma once

#include <cstdio>
#include <cstdlib>
#include <utility>

#include <pliant/result.h>

namespace pliant::bench {

/// The value; an error ends the benchmark with its message.
template <class T>
T value_or_exit(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().to_string().c_str());
    std::exit(1);
  }
  return std::move(result).value();
}

inline void value_or_exit(const Status& status) {
  if (!status) {
    std::fprintf(stderr, "%s\n", status.error().to_string().c_str());
    std::exit(1);
  }
}

}  // namespace pliant::bench
