#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bind/bind_context.h"
#include "kernels/kernel_call_list.h"
#include "plan/assign_memory.h"
#include "shapes/signature.h"
#include "tensor/view.h"

namespace pliant::plan {

/// Where a tensor of a run lies: a buffer and the first element's distance from its beginning.
struct Located {
  TensorView view;  ///< data is filled in by whoever needs it
  int buffer = kFixedPlace;
  std::int64_t offset = 0;  ///< bytes

  /// The place is view.data itself: a size, or a packed form.
  static constexpr int kFixedPlace = -1;
  /// The buffer of Plan::constants[index]; others are positions in BoundRun::buffers.
  [[nodiscard]] static constexpr int constant_buffer(int index) { return -2 - index; }
  [[nodiscard]] bool is_constant() const { return buffer < kFixedPlace; }
  [[nodiscard]] std::size_t constant() const { return static_cast<std::size_t>(-2 - buffer); }
};

/// Memory of a run.
struct Buffer {
  enum class Kind : std::uint8_t {
    kLiveIn,   ///< `index` into Plan::live_ins: the caller's
    kArena,    ///< `index` into the blocks of the arena
    kLiveOut,  ///< `index` into Plan::live_outs: from the pool, anew in each run
  };
  Kind kind = Kind::kArena;
  int index = 0;
  std::size_t bytes = 0;
};

/// A live-out of a run: a tensor of the plan whose memory is handed out.
struct BoundOutput {
  Located tensor;
  std::int64_t size = 0;  ///< of a size register
};

/// One kernel call of a bound run.
struct BoundCall {
  std::size_t scratch = 0;  ///< offset in the arena
  int check = -1;           ///< into BoundRun::rebindings: look at its elements first
};

/// A step that has to be bound again in each run, since it touches the caller's memory or fresh
/// memory, draws random numbers, or looks at elements.
struct Rebinding {
  enum class Kind : std::uint8_t { kInstruction, kGroup, kCopy };
  Kind kind = Kind::kInstruction;
  std::size_t call = 0;                        ///< position in the call list
  int step = 0;                                ///< into Plan::steps
  int scratch = -1;                            ///< into BoundRun::blocks, or -1
  bool taken = false;                          ///< kGroup: the kernel before it does its work
  std::unique_ptr<bind::BindContext> context;  ///< kInstruction
  std::vector<Located> inputs;                 ///< in the order of the context, group or copy
  std::vector<Located> outputs;
};

/// Where a call comes from.
struct CallOrigin {
  int step = 0;  ///< into Plan::steps
  Rebinding::Kind kind = Rebinding::Kind::kInstruction;
};

/// A plan bound to one signature: all kernel calls with their arguments, the memory of every tensor,
/// and what has to be done again because it depends on the single run.
struct BoundRun {
  std::vector<std::int64_t> signature;
  std::vector<std::int64_t> slots;  ///< of the shape program; kernels may point here
  std::vector<Buffer> buffers;
  std::vector<Block> blocks;
  std::size_t arena_bytes = 0;
  kernels::KernelCallList calls;
  std::vector<BoundCall> call_information;  ///< one per call
  std::vector<CallOrigin> origins;          ///< one per call
  std::vector<Rebinding> rebindings;
  std::vector<BoundOutput> outputs;  ///< one per Plan::live_outs

  [[nodiscard]] std::size_t byte_size() const;
};

/// The bound runs of one plan in one workspace, at most kMost in about kMostBytes; the least recently
/// used goes.
class BoundRuns {
 public:
  static constexpr std::size_t kMost = 64;
  static constexpr std::size_t kMostBytes = std::size_t{4} << 20U;

  /// `total`: the bytes of all workspaces' bound runs of the plan, which this keeps up to date.
  explicit BoundRuns(std::shared_ptr<std::atomic<std::size_t>> total) : total_(std::move(total)) {}
  ~BoundRuns() { add_bytes(0 - bytes_); }
  BoundRuns(const BoundRuns&) = delete;
  BoundRuns& operator=(const BoundRuns&) = delete;

  /// The bound run of a signature, or null.
  [[nodiscard]] BoundRun* find(shapes::Signature signature);
  /// Keeps a bound run; what it replaces is handed back so that its memory can be used again.
  BoundRun& insert(std::unique_ptr<BoundRun> run);
  /// A bound run to fill, made of one that is no longer needed if there are enough.
  [[nodiscard]] std::unique_ptr<BoundRun> take_for_reuse();
  void clear() {
    by_signature_.clear();
    runs_.clear();
    add_bytes(0 - bytes_);
  }
  [[nodiscard]] std::size_t byte_size() const { return bytes_; }

 private:
  struct Entry {
    std::unique_ptr<BoundRun> run;
    std::size_t bytes = 0;
  };
  using Runs = std::list<Entry>;

  std::unique_ptr<BoundRun> take_oldest();
  /// Modulo 2^64, so that less can be added, too.
  void add_bytes(std::size_t more) {
    bytes_ += more;
    total_->fetch_add(more, std::memory_order_relaxed);
  }

  std::shared_ptr<std::atomic<std::size_t>> total_;
  Runs runs_;              ///< the most recently used first
  std::size_t bytes_ = 0;  ///< of all runs
  std::unordered_map<std::uint64_t, Runs::iterator> by_signature_;  ///< by hash; a clash replaces
};

/// Memory for binding that is kept from run to run.
struct Scratchpad {
  std::vector<Located> values;
  std::vector<Rebinding> pending;  ///< one per call; contexts are kept for the next binding
  std::size_t pending_count = 0;
  std::vector<std::int64_t> numbers;
  std::vector<TensorView> views;
};

}  // namespace pliant::plan
