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
#include "plan/laid_out_values.h"
#include "plan/place.h"
#include "shapes/signature.h"
#include "tensor/view.h"

namespace pliant::plan {

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
  bool operator==(const Buffer&) const = default;
};

/// A live-out of a run: a tensor of the plan whose memory is handed out.
struct BoundOutput {
  TensorView tensor;      ///< data stands for a place, unless it is a constant
  int constant = -1;      ///< into Plan::constants, or -1
  std::int64_t size = 0;  ///< of a size register
};

/// Where a call comes from.
struct CallOrigin {
  enum class Kind : std::uint8_t { kInstruction, kGroup, kCopy };
  int step = 0;  ///< into Plan::steps
  Kind kind = Kind::kInstruction;
  bool operator==(const CallOrigin&) const = default;
};

/// One kernel call of a bound run.
struct BoundCall {
  CallOrigin origin;
  int scratch = -1;    ///< into BoundRun::blocks, or -1
  int rebinding = -1;  ///< into BoundRun::rebindings, or -1
  bool operator==(const BoundCall&) const = default;
};

/// An address among the arguments of a call.
struct BoundAddress {
  std::size_t position = 0;  ///< in the call list
  Place place;
  bool operator==(const BoundAddress&) const = default;
};

/// A call that is bound again in each run, since it looks at elements first or draws random numbers.
struct Rebinding {
  std::size_t call = 0;
  std::unique_ptr<bind::BindContext> context;
  std::vector<void*> inputs;  ///< addresses that stand for places, or real ones
  std::vector<void*> outputs;
};

/// Calls that run together, block of rows by block of rows: what one leaves behind is still in cache
/// when the next one reads it.
struct RowBlocks {
  std::size_t first = 0;  ///< of the calls [first, end)
  std::size_t end = 0;
  std::int64_t rows = 0;
  std::int64_t block = 0;  ///< how many rows at a time
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
  std::vector<BoundCall> call_information;      ///< one per call
  std::vector<BoundAddress> outside_addresses;  ///< in the caller's memory, or in fresh memory
  std::vector<Rebinding> rebindings;
  std::vector<RowBlocks> row_blocks;  ///< in order of calls
  std::vector<BoundOutput> outputs;   ///< one per Plan::live_outs

  [[nodiscard]] std::size_t byte_size() const;
  /// The scratch memory of a call.
  [[nodiscard]] std::byte* scratch_of(const BoundCall& call, std::byte* arena) const {
    return call.scratch < 0 ? nullptr
                            : arena + blocks[static_cast<std::size_t>(call.scratch)].offset;
  }
  /// Makes room for as much as the run of another signature has.
  void reserve_as(const BoundRun& other);
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
  /// A run to fill: one that is no longer needed if there are enough, or a new one.
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

/// A call as it was bound, for those who want to explain it.
struct CallDetails {
  int step = 0;
  bool taken = false;                          ///< a group: the kernel before it does its work
  std::unique_ptr<bind::BindContext> context;  ///< of an instruction
  std::vector<TensorView> inputs;
  std::vector<TensorView> outputs;
};

/// A tensor of a call that may run together with others.
struct RowTensor {
  enum class Use : std::uint8_t { kRead, kWritten };
  std::size_t call = 0;
  const void* memory = nullptr;  ///< tells buffers and constants apart
  std::size_t bytes = 0;
  Use use = Use::kRead;
};

/// What became of a step while a run is laid out.
struct LaidOutStep {
  enum class Kind : std::uint8_t {
    kOther,   ///< a group, or copies were made for it
    kView,    ///< nothing but a view
    kKernel,  ///< nothing but one call
  };
  Kind kind = Kind::kOther;
  std::size_t call = 0;       ///< of a kernel
  std::size_t addresses = 0;  ///< where those of the call begin in Scratchpad::addresses
  std::size_t address_count = 0;
};

/// Memory for binding that is kept from run to run.
struct Scratchpad {
  LaidOutValues values;
  std::unique_ptr<bind::BindContext> context;
  kernels::KernelCall call;
  std::vector<BoundAddress> addresses;  ///< of all calls, call by call
  std::vector<LaidOutStep> steps;       ///< by Plan::steps
  std::vector<RowTensor> row_tensors;   ///< in order of calls
  std::vector<std::int64_t> numbers;
  std::vector<TensorView> views;
  MemoryAssignment memory;
};

}  // namespace pliant::plan
