#include "memory/system_memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>

namespace pliant::memory {

std::size_t system_memory_bytes(const std::string& root) {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  std::size_t bytes = pages > 0 && page_bytes > 0
                          ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes)
                          : SIZE_MAX;
  // Inside a container its own limit is at the mount point. "max" is not a number and ends there.
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(root + path);
    std::size_t limit = 0;
    if (file >> limit && limit > 0) {
      bytes = std::min(bytes, limit);
    }
  }
  return bytes;
}

}  // namespace pliant::memory
