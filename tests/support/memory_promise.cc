#include "support/memory_promise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

namespace pliant::testing {
namespace {

/// A line of a memory map: a stretch of the arena.
struct Line {
  std::uint64_t bytes = 0;
  int first_step = 0;
  int last_step = 0;
};

struct Map {
  std::uint64_t arena_bytes = 0;
  std::size_t buffers = 0;
  std::uint64_t least_bytes = 0;
  std::vector<Line> lines{};
};

std::optional<Map> read_heading(const std::string& line) {
  unsigned long long bytes = 0;
  unsigned long long buffers = 0;
  unsigned long long least = 0;
  if (std::sscanf(line.c_str(), "memory: %llu bytes in %llu buffer%*[s;] at least %llu", &bytes,
                  &buffers, &least) != 3) {
    return std::nullopt;
  }
  return Map{bytes, buffers, least};
}

std::optional<Line> read_line(const std::string& line) {
  unsigned long long offset = 0;
  unsigned long long bytes = 0;
  Line read;
  if (std::sscanf(line.c_str(), " %llu %llu %d..%d", &offset, &bytes, &read.first_step,
                  &read.last_step) != 4) {
    return std::nullopt;
  }
  read.bytes = bytes;
  return read;
}

struct Need {
  std::uint64_t bytes = 0;
  std::uint64_t blocks = 0;
};

/// The most bytes that one step needs, and the most blocks.
Need greatest_need(const Map& map) {
  Need greatest;
  for (const Line& at : map.lines) {  // a maximum is reached where some block begins
    Need need;
    for (const Line& line : map.lines) {
      if (line.first_step <= at.first_step && at.first_step <= line.last_step) {
        need.bytes += line.bytes;
        ++need.blocks;
      }
    }
    greatest.bytes = std::max(greatest.bytes, need.bytes);
    greatest.blocks = std::max(greatest.blocks, need.blocks);
  }
  return greatest;
}

std::string broken_promise(const Map& map) {
  const Need need = greatest_need(map);
  if (map.lines.size() != map.buffers || need.bytes != map.least_bytes) {
    return fmt::format("a map of {} buffers has {} lines; {} bytes are the least, it says {}",
                       map.buffers, map.lines.size(), need.bytes, map.least_bytes);
  }
  const std::uint64_t allowed = need.bytes + need.bytes / 10 + 64 * need.blocks;
  if (map.arena_bytes > allowed) {
    return fmt::format(
        "{} bytes where {}, and at most {} blocks, are needed at one moment: at most {}",
        map.arena_bytes, need.bytes, need.blocks, allowed);
  }
  return {};
}

}  // namespace

MemoryPromise check_memory(std::string_view explanation) {
  std::vector<Map> maps;
  std::istringstream text{std::string(explanation)};
  for (std::string line; std::getline(text, line);) {
    if (auto map = read_heading(line)) {
      maps.push_back(std::move(*map));
    } else if (const auto block = read_line(line); block && !maps.empty()) {
      maps.back().lines.push_back(*block);
    }
  }
  MemoryPromise promise;
  for (const Map& map : maps) {
    ++promise.maps;
    promise.worst_ratio = std::max(promise.worst_ratio, static_cast<double>(map.arena_bytes) /
                                                            static_cast<double>(map.least_bytes));
    if (promise.broken.empty()) {
      promise.broken = broken_promise(map);
    }
  }
  return promise;
}

}  // namespace pliant::testing
