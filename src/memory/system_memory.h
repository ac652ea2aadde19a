#pragma once

#include <cstddef>
#include <string>

namespace pliant::memory {

/// Bytes that this process could ever use: physical memory, or the container's limit if that is
/// lower. Asking for more than this would not fail, it would end the process later. `root` is "" or
/// a folder that stands for "/" (tests).
[[nodiscard]] std::size_t system_memory_bytes(const std::string& root);

}  // namespace pliant::memory
