#include "report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace demo {

namespace {

/// The smallest value that at least this share of the sorted values does not exceed.
double percentile(const std::vector<double>& sorted, double share) {
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

void print_row(const std::string& label, const std::vector<Sample>& samples) {
  std::vector<double> milliseconds;
  double seconds = 0;
  double flops = 0;
  std::int64_t sequences = 0;
  std::int64_t tokens = 0;
  for (const Sample& sample : samples) {
    milliseconds.push_back(sample.seconds * 1e3);
    seconds += sample.seconds;
    flops += sample.flops;
    sequences += sample.batch;
    tokens += sample.batch * sample.length;
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  fmt::print("  {:>11} {:>9} {:>10} {:>8} {:>9.1f} {:>9.1f} {:>9.1f} {:>10.0f} {:>9.1f}\n", label,
             samples.size(), sequences, tokens, percentile(milliseconds, 0.5),
             percentile(milliseconds, 0.9), percentile(milliseconds, 0.99),
             static_cast<double>(tokens) / seconds, flops / seconds * 1e-9);
}

}  // namespace

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Progress::Progress(std::string what, std::int64_t total)
    : what_(std::move(what)), total_(total), on_terminal_(isatty(STDOUT_FILENO) == 1) {}

Progress::~Progress() {
  if (on_terminal_) {
    fmt::print("\r\033[K");
    std::fflush(stdout);
  }
}

void Progress::show(std::int64_t done) {
  const std::int64_t tenths = total_ == 0 ? 10 : done * 10 / total_;
  if (on_terminal_) {
    fmt::print("\r  {} {} of {}\033[K", what_, done, total_);
  } else if (tenths != shown_tenths_ && tenths % 2 == 0) {
    fmt::print("  {} {} of {}\n", what_, done, total_);
  }
  shown_tenths_ = tenths;
  std::fflush(stdout);
}

void print_latency_table(const std::vector<Sample>& samples) {
  fmt::print("  {:>11} {:>9} {:>10} {:>8} {:>9} {:>9} {:>9} {:>10} {:>9}\n", "length", "requests",
             "sequences", "tokens", "p50 ms", "p90 ms", "p99 ms", "tokens/s", "GFLOP/s");
  const auto longest =
      std::max_element(samples.begin(), samples.end(),
                       [](const Sample& a, const Sample& b) { return a.length < b.length; });
  for (std::int64_t low = 1, high = 16; low <= longest->length; low = high + 1, high *= 2) {
    std::vector<Sample> in_range;
    for (const Sample& sample : samples) {
      if (sample.length >= low && sample.length <= high) {
        in_range.push_back(sample);
      }
    }
    if (!in_range.empty()) {
      print_row(fmt::format("{}..{}", low, high), in_range);
    }
  }
  print_row("all", samples);
}

ProcessMemory process_memory() {
  ProcessMemory memory;
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    std::size_t kibibytes = 0;
    if (word == "VmRSS:" && status >> kibibytes) {
      memory.resident_bytes = kibibytes << 10;
    } else if (word == "VmHWM:" && status >> kibibytes) {
      memory.peak_bytes = kibibytes << 10;
    }
  }
  return memory;
}

std::string megabytes(std::size_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) * 1e-6);
}

}  // namespace demo
