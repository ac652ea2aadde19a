#include "threads/thread_pool.h"

#include <immintrin.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "base/check.h"
#include "threads/cpu_limits.h"
#include "threads/stop_check.h"

// A loop lives on its caller's stack and is published in one of a fixed number of places. Rules:
//
// 1. A worker announces itself in `visitors` before it reads `loop`, and leaves after its last
//    access. The caller takes `loop` away first and then waits until there are no visitors. Both
//    sides use sequentially consistent operations on these two, so either the worker sees no loop
//    or the caller sees the visitor.
// 2. Seats number the threads inside a loop: the caller has seat 0, workers draw the next one and
//    leave again when all are taken. The seat is the `worker` that a body sees.
// 3. `generation` changes after a loop was published; a worker that found nothing sleeps on it.
// 4. A loop that is stopped is still emptied: its pieces are drawn as ever, and nothing is done for
//    them. Other loops know nothing of it.

namespace pliant::threads {
namespace {

constexpr int kPlaces = 64;
constexpr std::chrono::microseconds kSpinTime{50};

/// Seat of this thread in the loop it is inside of, or -1: loops do not nest on the pool.
thread_local int current_seat = -1;

/// What a thread does of a loop that can be stopped: parts between which it asks. They begin with the
/// grain of the loop and grow until asking, and beginning anew, cost next to nothing.
class StoppableParts {
 public:
  StoppableParts(const ParallelFor::Body& body, std::int64_t grain, StopCheck& stop)
      : body_(body), part_(grain), stop_(stop) {}

  void run(std::int64_t begin, std::int64_t end, int seat) {
    while (end - begin > part_ && !stop_.ask()) {
      const std::uint64_t start = __rdtsc();
      body_(begin, begin + part_, seat);
      begin += part_;
      if (__rdtsc() - start < kShort) {
        part_ *= 2;  // was less than the loop has
      }
    }
    if (begin < end && !stop_.ask()) {
      body_(begin, end, seat);
    }
  }

 private:
  /// In ticks of the processor's counter: about a third of a millisecond.
  static constexpr std::uint64_t kShort = 1'000'000;

  const ParallelFor::Body& body_;
  std::int64_t part_;
  StopCheck& stop_;
};

struct Loop {
  std::int64_t count;
  std::int64_t piece;
  std::int64_t grain;
  ParallelFor::Body body;
  int seats;
  StopCheck* stop;  ///< or null
  std::atomic<std::int64_t> next{0};
  std::atomic<int> seats_taken{1};

  [[nodiscard]] bool has_work() const { return next.load(std::memory_order_relaxed) < count; }

  void work(int seat) {
    current_seat = seat;
    if (stop == nullptr) {
      draw_pieces([&](std::int64_t begin, std::int64_t end) { body(begin, end, seat); });
    } else {
      StoppableParts parts(body, grain, *stop);
      draw_pieces([&](std::int64_t begin, std::int64_t end) { parts.run(begin, end, seat); });
    }
    current_seat = -1;
  }

 private:
  template <class Do>
  void draw_pieces(Do run) {
    while (true) {
      const std::int64_t begin = next.fetch_add(piece, std::memory_order_relaxed);
      if (begin >= count) {
        return;
      }
      run(begin, std::min(begin + piece, count));
    }
  }
};

struct alignas(64) Place {
  std::atomic<bool> taken{false};
  std::atomic<Loop*> loop{nullptr};
  std::atomic<int> visitors{0};
};

class WorkerPool {
 public:
  void run(Loop& loop) {
    Place* place = take_place();
    if (place == nullptr) {  // 64 loops at once: the machine is busy without our help
      loop.work(0);
      return;
    }
    ensure_workers(loop.seats - 1);
    place->loop.store(&loop);
    generation_.fetch_add(1);
    wake(loop.seats - 1);
    loop.work(0);
    place->loop.store(nullptr);
    for (int spins = 0; place->visitors.load() != 0; ++spins) {
      _mm_pause();
      if (spins > 1000) {  // a visitor was interrupted: let it run if it waits for this processor
        std::this_thread::yield();
        if (loop.stop != nullptr) {
          // The others cannot ask the caller, so this thread goes on asking for them.
          static_cast<void>(loop.stop->ask());
        }
      }
    }
    place->taken.store(false, std::memory_order_release);
  }

 private:
  Place* take_place() {
    for (Place& place : places_) {
      if (!place.taken.load(std::memory_order_relaxed) &&
          !place.taken.exchange(true, std::memory_order_acquire)) {
        return &place;
      }
    }
    return nullptr;
  }

  void ensure_workers(int wanted) {
    if (worker_count_.load(std::memory_order_relaxed) >= wanted) {
      return;
    }
    const std::lock_guard lock(start_mutex_);
    while (worker_count_.load(std::memory_order_relaxed) < wanted) {
      try {
        std::thread([this] { serve(); }).detach();
      } catch (const std::system_error&) {
        return;  // the system has no more threads to give: those that exist do the work
      }
      worker_count_.fetch_add(1, std::memory_order_relaxed);
    }
  }

  void wake(int wanted) {
    const int sleeping = sleepers_.load();
    for (int i = 0; i < std::min(wanted, sleeping); ++i) {
      generation_.notify_one();
    }
  }

  void serve() {
    pthread_setname_np(pthread_self(), "pliant-worker");  // as debuggers and `ps -L` show it
    while (true) {
      const std::uint32_t seen = generation_.load();
      if (!help()) {
        wait_for_change(seen);
      }
    }
  }

  /// Takes part in every loop that has a seat; false when there was nothing to do.
  bool help() {
    bool helped = false;
    for (Place& place : places_) {
      if (place.loop.load(std::memory_order_relaxed) == nullptr) {
        continue;
      }
      place.visitors.fetch_add(1);
      Loop* loop = place.loop.load();
      if (loop != nullptr && loop->has_work()) {
        const int seat = loop->seats_taken.fetch_add(1, std::memory_order_relaxed);
        if (seat < loop->seats) {
          loop->work(seat);
          helped = true;
        }
      }
      place.visitors.fetch_sub(1);
    }
    return helped;
  }

  void wait_for_change(std::uint32_t seen) {
    const auto end = std::chrono::steady_clock::now() + kSpinTime;
    do {
      for (int i = 0; i < 64; ++i) {
        if (generation_.load(std::memory_order_relaxed) != seen) {
          return;
        }
        _mm_pause();
      }
    } while (std::chrono::steady_clock::now() < end);
    sleepers_.fetch_add(1);
    generation_.wait(seen);
    sleepers_.fetch_sub(1);
  }

  std::array<Place, kPlaces> places_;
  std::atomic<std::uint32_t> generation_{0};
  std::atomic<int> sleepers_{0};
  std::atomic<int> worker_count_{0};
  std::mutex start_mutex_;
};

std::atomic<WorkerPool*> the_pool{nullptr};

/// The process's pool. It is never destroyed: its threads may be looking for work while the process
/// ends. After fork() the child has none of the threads, so it gets a new pool.
WorkerPool& pool() {
  static std::once_flag once;
  std::call_once(once, [] {
    the_pool.store(new WorkerPool);
    pthread_atfork(nullptr, nullptr, [] {
      the_pool.store(new WorkerPool);
      current_seat = -1;
    });
  });
  return *the_pool.load(std::memory_order_acquire);
}

class PoolFor final : public ParallelFor {
 public:
  PoolFor(int thread_count, StopCheck* stop) : ParallelFor(stop), thread_count_(thread_count) {}

  [[nodiscard]] int worker_count() const override { return thread_count_; }

  void run(std::int64_t count, std::int64_t grain, Body body) override {
    if (count <= 0) {
      return;
    }
    grain = std::max<std::int64_t>(grain, 1);
    if (current_seat >= 0) {
      run_here(count, grain, body, current_seat);
      return;
    }
    const std::int64_t pieces = (count - 1) / grain + 1;
    if (thread_count_ == 1 || pieces == 1) {
      current_seat = 0;
      run_here(count, grain, body, 0);
      current_seat = -1;
      return;
    }
    // About four pieces per thread even out uneven work; more would only cost.
    const std::int64_t even = (count - 1) / (std::int64_t{4} * thread_count_) + 1;
    const int seats = static_cast<int>(std::min<std::int64_t>(thread_count_, pieces));
    Loop loop{count, std::max(grain, even), grain, body, seats, stop()};
    pool().run(loop);
  }

 private:
  /// A loop in this thread alone.
  void run_here(std::int64_t count, std::int64_t grain, const Body& body, int seat) const {
    if (stop() == nullptr) {
      body(0, count, seat);
    } else {
      StoppableParts(body, grain, *stop()).run(0, count, seat);
    }
  }

  int thread_count_;
};

std::optional<int> threads_from_environment() {
  const char* text = std::getenv("PLIANT_THREADS");
  if (text == nullptr) {
    return std::nullopt;
  }
  int value = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stop != end || value < 1 || value > kMaxThreads) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

int default_thread_count() {
  if (const auto chosen = threads_from_environment()) {
    return *chosen;
  }
  int count = physical_core_count(allowed_cpus(), "");
  if (const auto quota = cpu_quota("")) {
    count = std::min(count, static_cast<int>(std::ceil(*quota)));
  }
  return std::clamp(count, 1, kMaxThreads);
}

std::unique_ptr<ParallelFor> parallel_for_on_pool(int thread_count, StopCheck* stop) {
  PLIANT_CHECK_LE(1, thread_count);
  PLIANT_CHECK_LE(thread_count, kMaxThreads);
  return std::make_unique<PoolFor>(thread_count, stop);
}

}  // namespace pliant::threads
