#include "memory/pool.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "base/checked_math.h"
#include "memory/poison.h"
#include "memory/size_class.h"
#include "memory/system_memory.h"

namespace pliant::memory {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// A bucket of blocks: element type and elements per block.
struct BucketKey {
  DType dtype;
  std::int64_t element_count;

  // NOLINTNEXTLINE(modernize-use-nullptr): the 0 that <=> is compared with is no pointer
  friend auto operator<=>(const BucketKey&, const BucketKey&) = default;
  [[nodiscard]] std::size_t byte_size() const {
    return static_cast<std::size_t>(element_count) * pliant::byte_size(dtype);
  }
};

void* allocate_from_system(std::size_t bytes) {
  if (bytes < kHugePage) {
    return std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  }
  // Large tensors: whole huge pages, since first touch of small pages costs more than computing.
  const std::size_t rounded = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* data = std::aligned_alloc(kHugePage, rounded);
  if (data != nullptr) {
    madvise(data, rounded, MADV_HUGEPAGE);  // only advice: failing changes nothing
  }
  return data;
}

}  // namespace

/// Free blocks and counters. Each thread mostly meets one of the fronts, so threads do not wait for
/// each other; a front that has no block asks the others before the system.
class Pool::State : public std::enable_shared_from_this<Pool::State> {
 public:
  explicit State(PoolOptions options)
      : max_bytes_(options.max_bytes != 0 ? options.max_bytes : system_memory_bytes("")),
        window_start_(Clock::now()) {}

  ~State() { trim(); }

  /// A block of at least this bucket, which `key` then names. Null when the limit or the system says
  /// no; `limited` tells which.
  void* take(BucketKey& key, bool& limited) {
    const std::size_t bytes = key.byte_size();
    const std::size_t live = live_bytes_.fetch_add(bytes) + bytes;
    limited = live > max_bytes_;
    if (limited) {
      live_bytes_.fetch_sub(bytes);
      return nullptr;
    }
    // What larger blocks waste must not be missing when memory gets scarce.
    const std::size_t most_more = max_bytes_ / 2 - std::min(live, max_bytes_ / 2);
    const std::size_t first = front_of_thread();
    for (std::size_t i = 0; i < fronts_.size(); ++i) {
      if (void* block = fronts_[(first + i) % fronts_.size()].take(key, most_more)) {
        const std::size_t more = key.byte_size() - bytes;
        live_bytes_.fetch_add(more);
        raise_peaks(live + more);
        return block;
      }
    }
    raise_peaks(live);
    void* block = allocate_from_system(bytes);
    if (block == nullptr) {
      trim();
      block = allocate_from_system(bytes);
    }
    if (block == nullptr) {
      live_bytes_.fetch_sub(bytes);
      return nullptr;
    }
    scribble(block, bytes);
    reserved_bytes_.fetch_add(bytes);
    system_allocations_.fetch_add(1);
    return block;
  }

  void give_back(const BucketKey& key, void* block) {
    live_bytes_.fetch_sub(key.byte_size());
    poison_block(block, key.byte_size());
    fronts_[front_of_thread()].put(key, block);
    constexpr std::uint32_t kDecayInterval =
        256;  // reading the clock each time would cost more than the rest
    if (releases_.fetch_add(1, std::memory_order_relaxed) % kDecayInterval == 0) {
      decay();
    }
  }

  std::size_t trim() {
    const std::size_t released = shrink_to(0);
    malloc_trim(0);
    return released;
  }

  [[nodiscard]] std::size_t max_bytes() const { return max_bytes_; }

  [[nodiscard]] PoolStatistics statistics() const {
    return {live_bytes_.load(), peak_bytes_.load(), reserved_bytes_.load(),
            system_allocations_.load()};
  }

 private:
  using Clock = std::chrono::steady_clock;

  class Front {
   public:
    /// A free block of the bucket, or of a larger one with at most `most_more` bytes more; `key` then
    /// names that.
    void* take(BucketKey& key, std::size_t most_more) {
      const std::lock_guard lock(mutex_);
      const std::size_t most = most_byte_size(key, most_more);
      for (auto bucket = buckets_.lower_bound(key);
           bucket != buckets_.end() && bucket->first.dtype == key.dtype &&
           bucket->first.byte_size() <= most;
           ++bucket) {
        if (!bucket->second.empty()) {
          void* block = bucket->second.back();
          bucket->second.pop_back();
          key = bucket->first;
          return block;
        }
      }
      return nullptr;
    }
    void put(const BucketKey& key, void* block) {
      const std::lock_guard lock(mutex_);
      buckets_[key].push_back(block);
    }
    /// Frees blocks, largest class first, until `excess` bytes are gone; returns how many were.
    std::size_t release(std::size_t excess) {
      std::size_t released = 0;
      const std::lock_guard lock(mutex_);
      while (released < excess) {
        auto largest = buckets_.end();
        for (auto bucket = buckets_.begin(); bucket != buckets_.end();) {
          if (bucket->second.empty()) {
            bucket = buckets_.erase(bucket);
            continue;
          }
          if (largest == buckets_.end() || bucket->first.byte_size() > largest->first.byte_size()) {
            largest = bucket;
          }
          ++bucket;
        }
        if (largest == buckets_.end()) {
          break;
        }
        for (std::vector<void*>& blocks = largest->second; released < excess && !blocks.empty();) {
          open_block(blocks.back(), largest->first.byte_size());
          std::free(blocks.back());
          blocks.pop_back();
          released += largest->first.byte_size();
        }
      }
      return released;
    }

   private:
    /// Fresh memory of whole huge pages costs more to touch than computing on it, and a system that has
    /// to make room for them takes far longer: there, a block up to twice as large does as well.
    static std::size_t most_byte_size(const BucketKey& key, std::size_t most_more) {
      const std::size_t bytes = key.byte_size();
      return bytes < kHugePage ? bytes : bytes + std::min(bytes, most_more);
    }

    std::mutex mutex_;
    std::map<BucketKey, std::vector<void*>> buckets_;  // guarded by mutex_
  };

  [[nodiscard]] std::size_t front_of_thread() const {
    static std::atomic<std::size_t> next{0};
    thread_local const std::size_t kMine = next.fetch_add(1);
    return kMine % fronts_.size();
  }

  void raise_peaks(std::size_t live) {
    raise(peak_bytes_, live);
    raise(window_peak_bytes_, live);
  }
  static void raise(std::atomic<std::size_t>& maximum, std::size_t value) {
    std::size_t seen = maximum.load(std::memory_order_relaxed);
    while (seen < value && !maximum.compare_exchange_weak(seen, value)) {
    }
  }

  std::size_t shrink_to(std::size_t target) {
    std::size_t released = 0;
    for (Front& front : fronts_) {
      const std::size_t reserved = reserved_bytes_.load();
      if (reserved <= target) {
        break;
      }
      const std::size_t bytes = front.release(reserved - target);
      reserved_bytes_.fetch_sub(bytes);
      released += bytes;
    }
    return released;
  }

  /// Once a second: what the peak of the last two seconds does not explain is given back.
  void decay() {
    constexpr std::chrono::seconds kWindow{1};
    const std::unique_lock lock(window_mutex_, std::try_to_lock);
    if (!lock.owns_lock() || Clock::now() - window_start_ < kWindow) {
      return;
    }
    window_start_ = Clock::now();
    const std::size_t peak = window_peak_bytes_.exchange(live_bytes_.load());
    const std::size_t recent = std::max(peak, last_window_peak_);
    last_window_peak_ = peak;
    shrink_to(recent + recent / 2);
  }

  const std::size_t max_bytes_;
  std::array<Front, 8> fronts_;
  std::atomic<std::size_t> live_bytes_{0};
  std::atomic<std::size_t> peak_bytes_{0};
  std::atomic<std::size_t> window_peak_bytes_{0};
  std::atomic<std::size_t> reserved_bytes_{0};
  std::atomic<std::uint64_t> system_allocations_{0};
  std::atomic<std::uint32_t> releases_{0};
  std::mutex window_mutex_;
  Clock::time_point window_start_;    // guarded by window_mutex_
  std::size_t last_window_peak_ = 0;  // guarded by window_mutex_
};

namespace {

class PoolStorage final : public Storage {
 public:
  PoolStorage(std::shared_ptr<Pool::State> pool, BucketKey key, void* data, std::size_t used)
      : Storage(data, used, Lifetime::kRun), pool_(std::move(pool)), key_(key) {}
  ~PoolStorage() override { pool_->give_back(key_, data()); }

 private:
  std::shared_ptr<Pool::State> pool_;
  BucketKey key_;
};

}  // namespace

Pool::Pool(PoolOptions options) : state_(std::make_shared<State>(options)) {}

Pool::~Pool() = default;

Result<std::shared_ptr<Storage>> Pool::allocate(DType dtype, std::int64_t element_count) {
  constexpr std::int64_t kMaxElements = std::int64_t{1}
                                        << 60;  // rounding up to a class stays in range
  const auto bytes = checked_multiply(element_count, static_cast<std::int64_t>(byte_size(dtype)));
  if (element_count < 0 || element_count > kMaxElements || !bytes) {
    return make_error(ErrorCode::kResourceExhausted, "a tensor of {} {} elements is too large",
                      element_count, name(dtype));
  }
  BucketKey key{dtype, class_element_count(element_count)};
  if (!checked_multiply(key.element_count, static_cast<std::int64_t>(byte_size(dtype)))) {
    return make_error(ErrorCode::kResourceExhausted, "a tensor of {} {} elements is too large",
                      element_count, name(dtype));
  }
  bool limited = false;
  void* data = state_->take(key, limited);
  if (data == nullptr) {
    const PoolStatistics now = state_->statistics();
    if (limited) {
      return make_error(
          ErrorCode::kResourceExhausted,
          "a tensor of {} bytes would pass the memory limit of {} bytes; {} bytes are in use",
          *bytes, state_->max_bytes(), now.live_bytes);
    }
    return make_error(ErrorCode::kResourceExhausted,
                      "the system has no memory for a tensor of {} bytes; {} bytes are in use",
                      *bytes, now.live_bytes);
  }
  unpoison_block(data, key.byte_size(), static_cast<std::size_t>(*bytes));
  return std::shared_ptr<Storage>(
      std::make_shared<PoolStorage>(state_, key, data, static_cast<std::size_t>(*bytes)));
}

std::size_t Pool::trim() {
  return state_->trim();
}

PoolStatistics Pool::statistics() const {
  return state_->statistics();
}

}  // namespace pliant::memory
