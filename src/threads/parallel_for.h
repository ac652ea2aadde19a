#pragma once

#include <cstdint>

#include "base/function_ref.h"

namespace pliant {

class StopCheck;

/// The only thing that kernels see of threads.
class ParallelFor {
 public:
  virtual ~ParallelFor() = default;

  /// Body of a loop: handles indices [begin, end). `worker` is in [0, worker_count()) and no two
  /// calls that run at the same time share it, so it picks a slice of scratch memory.
  using Body = FunctionRef<void(std::int64_t begin, std::int64_t end, int worker)>;

  /// How many threads may take part, the caller included; at least 1.
  [[nodiscard]] virtual int worker_count() const = 0;

  /// Calls `body` over [0, count) in pieces of at least `grain` indices (the last may be shorter)
  /// and returns when all are done. Pieces are handed out dynamically; which worker gets which
  /// piece is not fixed, so results must not depend on it. A loop started inside a body runs in
  /// that thread. Once is_stopped(), what has not begun is left out, in all loops to come, too.
  virtual void run(std::int64_t count, std::int64_t grain, Body body) = 0;

  /// Whether what is computed is no longer wanted. A body that works on one index for more than about
  /// a millisecond asks now and then, and returns early.
  [[nodiscard]] bool is_stopped() const { return stop_ != nullptr && stop_asked(); }

 protected:
  /// `stop` may be null: nothing stops the loops.
  explicit ParallelFor(StopCheck* stop = nullptr) : stop_(stop) {}
  ParallelFor(const ParallelFor&) = default;
  ParallelFor& operator=(const ParallelFor&) = delete;

  [[nodiscard]] StopCheck* stop() const { return stop_; }

 private:
  [[nodiscard]] bool stop_asked() const;

  StopCheck* stop_;
};

/// Runs everything in the calling thread.
class SerialFor final : public ParallelFor {
 public:
  SerialFor() = default;
  /// Inside a body: is stopped with the loop outside.
  explicit SerialFor(const ParallelFor& outside) : ParallelFor(outside) {}

  [[nodiscard]] int worker_count() const override { return 1; }
  void run(std::int64_t count, std::int64_t grain, Body body) override {
    static_cast<void>(grain);
    if (count > 0 && !is_stopped()) {
      body(0, count, 0);
    }
  }
};

/// Runs one slice of every loop in the calling thread, which is a worker of a loop outside: of
/// `parts` equal parts of the indices those from `begin` to `end`.
class SliceFor final : public ParallelFor {
 public:
  struct Slice {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t parts = 1;
  };
  SliceFor(const ParallelFor& outside, const Slice& slice, int worker)
      : ParallelFor(outside),
        slice_(slice),
        worker_(worker),
        worker_count_(outside.worker_count()) {}

  [[nodiscard]] int worker_count() const override { return worker_count_; }
  /// `count` is a multiple of the parts.
  void run(std::int64_t count, std::int64_t grain, Body body) override {
    static_cast<void>(grain);
    if (is_stopped()) {
      return;
    }
    const std::int64_t in_part = count / slice_.parts;
    body(slice_.begin * in_part, slice_.end * in_part, worker_);
  }

 private:
  Slice slice_;
  int worker_;
  int worker_count_;
};

}  // namespace pliant
