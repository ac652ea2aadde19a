#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pliant::threads {

/// Numbers of the CPUs that this process may run on.
[[nodiscard]] std::vector<int> allowed_cpus();

/// How many different physical cores the given CPUs belong to; CPUs whose topology is unknown count
/// one each. `root` is "" or a folder that stands for "/" (tests).
[[nodiscard]] int physical_core_count(const std::vector<int>& cpus, const std::string& root);

/// CPUs' worth of time that the container may use: the tightest quota on the path from this
/// process's control group to the top, version 2 (cpu.max) or 1 (cpu.cfs_quota_us); empty when
/// there is none.
[[nodiscard]] std::optional<double> cpu_quota(const std::string& root);

}  // namespace pliant::threads
