#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <pliant/dtype.h>

#include "base/result.h"
#include "tensor/stored_tensor.h"

namespace pliant::memory {

/// What a pool holds, in bytes.
struct PoolStatistics {
  std::size_t live_bytes = 0;            ///< whole blocks that tensors hold now
  std::size_t peak_bytes = 0;            ///< largest live_bytes so far
  std::size_t reserved_bytes = 0;        ///< live blocks and free blocks kept for reuse
  std::uint64_t system_allocations = 0;  ///< how often the system was asked for memory
};

struct PoolOptions {
  /// Most live bytes at one moment; an allocation that would pass it fails. 0: what the
  /// machine or the container has.
  std::size_t max_bytes = 0;
};

/// Memory for tensors: freed blocks are kept in buckets by element type and size class and handed
/// out again, so a run of a shape seen before asks the system for nothing. What was kept for a peak
/// that has passed is given back little by little while the pool is used. From 2 MiB on a free block
/// up to twice as large is taken rather than fresh memory, while less than half of the limit is in use.
///
/// Thread-safe. Storage may be released on any thread and may outlive the pool. In checked builds
/// freed memory is filled with 0xff (NaN), and AddressSanitizer guards it and the end of each
/// block.
class Pool {
 public:
  explicit Pool(PoolOptions options);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Uninitialised memory for `element_count` >= 0 elements, 64-byte aligned. kResourceExhausted
  /// when the size overflows, passes the limit, or the system has no more.
  [[nodiscard]] Result<std::shared_ptr<Storage>> allocate(DType dtype, std::int64_t element_count);

  /// Gives all free blocks back to the system; returns how many bytes. Runs may be in flight.
  std::size_t trim();

  [[nodiscard]] PoolStatistics statistics() const;

  class State;  ///< shared with the storage handed out

 private:
  std::shared_ptr<State> state_;
};

}  // namespace pliant::memory
