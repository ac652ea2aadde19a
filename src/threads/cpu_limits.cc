#include "threads/cpu_limits.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace pliant::threads {
namespace {

std::optional<std::string> first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line)) {
    return std::nullopt;
  }
  return line;
}

std::optional<double> number_in(const std::string& path) {
  const auto line = first_line(path);
  if (!line) {
    return std::nullopt;
  }
  std::istringstream stream(*line);
  double value = 0;
  return stream >> value ? std::optional(value) : std::nullopt;
}

/// "max 100000" or "150000 100000".
std::optional<double> quota_v2(const std::string& folder) {
  const auto line = first_line(folder + "/cpu.max");
  if (!line) {
    return std::nullopt;
  }
  std::istringstream stream(*line);
  double quota = 0;
  double period = 0;
  if (stream >> quota >> period && quota > 0 && period > 0) {
    return quota / period;
  }
  return std::nullopt;
}

std::optional<double> quota_v1(const std::string& folder) {
  const auto quota = number_in(folder + "/cpu.cfs_quota_us");
  const auto period = number_in(folder + "/cpu.cfs_period_us");
  if (quota && period && *quota > 0 && *period > 0) {
    return *quota / *period;
  }
  return std::nullopt;
}

/// The tightest quota of `group` and everything above it, below the mount point. Inside a container
/// the path may name folders that are not visible; the mount point itself is always looked at.
template <class Quota>
void tighten(std::optional<double>& limit, const std::string& mount, std::string group,
             const Quota& quota) {
  while (true) {
    if (const auto found = quota(mount + group)) {
      limit = limit ? std::min(*limit, *found) : *found;
    }
    const std::size_t slash = group.rfind('/');
    if (slash == std::string::npos || group.empty()) {
      return;
    }
    group.resize(slash);
  }
}

}  // namespace

std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
  // The kernel refuses masks that are too small for the machine; grow until it fits.
  for (int limit = CPU_SETSIZE; limit <= (1 << 20); limit *= 2) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(limit));
    if (set == nullptr) {
      break;
    }
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(limit));
    const bool ok = sched_getaffinity(0, bytes, set) == 0;
    for (int cpu = 0; ok && cpu < limit; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set)) {
        cpus.push_back(cpu);
      }
    }
    CPU_FREE(set);
    if (ok) {
      break;
    }
  }
  if (cpus.empty()) {
    cpus.push_back(0);
  }
  return cpus;
}

int physical_core_count(const std::vector<int>& cpus, const std::string& root) {
  std::set<std::string> cores;
  for (const int cpu : cpus) {
    const auto siblings = first_line(
        fmt::format("{}/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", root, cpu));
    cores.insert(siblings ? *siblings : fmt::format("cpu {}", cpu));
  }
  return std::max(static_cast<int>(cores.size()), 1);
}

std::optional<double> cpu_quota(const std::string& root) {
  std::optional<double> limit;
  std::ifstream groups(root + "/proc/self/cgroup");
  std::string line;
  // Lines are "hierarchy:controllers:path"; version 2 is the hierarchy 0 without controllers.
  while (std::getline(groups, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string path = line.substr(second + 1);
    if (path == "/") {
      path.clear();
    }
    if (controllers.empty()) {
      tighten(limit, root + "/sys/fs/cgroup", path, quota_v2);
    } else if (("," + controllers + ",").find(",cpu,") != std::string::npos) {
      tighten(limit, root + "/sys/fs/cgroup/cpu", path, quota_v1);
    }
  }
  return limit;
}

}  // namespace pliant::threads
