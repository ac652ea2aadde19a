#pragma once

#include <pliant/dtype.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/result.h"
#include "tensor/stored_tensor.h"

namespace pliant::memory {

/// What a pool holds, in bytes. `reserved` counts whole blocks, `live` what was asked for.
struct PoolStatistics {
  std::size_t live_bytes = 0;
  std::size_t peak_bytes = 0;      ///< largest live_bytes so far
  std::size_t reserved_bytes = 0;  ///< blocks in use and free blocks kept for reuse
};

struct PoolOptions {
  /// Most live bytes at one moment; an allocation that would pass it fails. 0: no limit.
  std::size_t max_bytes = 0;
};

/// Memory for tensors: freed blocks are kept in buckets by element type and size class and handed
/// out again, so a run of a shape seen before asks the system for nothing.
///
/// Thread-safe. Storage may be released on any thread and may outlive the pool.
class Pool {
 public:
  explicit Pool(PoolOptions options);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Uninitialised memory for `element_count` >= 0 elements, 64-byte aligned. kResourceExhausted
  /// when the size overflows, passes the limit, or the system has no more.
  [[nodiscard]] Result<std::shared_ptr<Storage>> allocate(DType dtype, std::int64_t element_count);

  /// Gives all free blocks back to the system; returns how many bytes.
  std::size_t trim();

  [[nodiscard]] PoolStatistics statistics() const;

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace pliant::memory
