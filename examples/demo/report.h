#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace demo {

using Clock = std::chrono::steady_clock;

[[nodiscard]] double seconds_since(Clock::time_point start);

/// One line of progress that overwrites itself on a terminal; elsewhere it prints a few lines only.
class Progress {
 public:
  Progress(std::string what, std::int64_t total);
  ~Progress();
  void show(std::int64_t done);

 private:
  std::string what_;
  std::int64_t total_;
  std::int64_t shown_tenths_ = -1;
  bool on_terminal_;
};

/// What was measured of one request.
struct Sample {
  std::int64_t batch;
  std::int64_t length;
  double seconds;
  double flops;
};

/// Prints latency percentiles and throughput, one line per range of lengths (powers of two).
void print_latency_table(const std::vector<Sample>& samples);

/// Memory of this process that is in RAM, and the most there ever was; 0 where the system does not
/// tell.
struct ProcessMemory {
  std::size_t resident_bytes = 0;
  std::size_t peak_bytes = 0;
};
[[nodiscard]] ProcessMemory process_memory();

/// "339.7 MB".
[[nodiscard]] std::string megabytes(std::size_t bytes);

}  // namespace demo
