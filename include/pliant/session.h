#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pliant/model.h>
#include <pliant/plan_options.h>
#include <pliant/plan_statistics.h>
#include <pliant/result.h>
#include <pliant/tensor.h>

namespace pliant {

/// Something worth telling: a kind ("load", "run", "compile", "evict", "breaker", "quarantine",
/// "warm-up", …) and fields (name, value) in the order they matter.
struct LogEvent {
  enum class Level : std::uint8_t { kError, kWarning, kInfo, kTrace };
  Level level = Level::kInfo;
  std::string kind;
  std::vector<std::pair<std::string, std::string>> fields;
};

/// How a session runs. Plain values; the defaults suit a service with one model.
struct SessionOptions {
  // What it does
  /// Bytes that one session may hold for tensors of its runs at any moment; a run that would pass
  /// it fails with kResourceExhausted and others go on. 0: what the machine or the container has.
  std::size_t max_bytes = 0;

  // How fast
  /// Threads that one run may use, the caller's included. 0: PLIANT_THREADS if set, else the
  /// physical cores allowed by affinity and the container's quota. Range 0..256. Fewer leaves cores
  /// to others; more than there are cores is slower.
  int threads = 0;
  /// Best CPU level that kernels may use: "" (what the CPU has), "portable", "avx2" or "avx512".
  /// For tests and comparisons; a level that the CPU lacks is refused.
  std::string cpu_level;
  /// Which plans exist, and when they are compiled.
  PlanOptions plans;

  /// Receives events, from any thread, one at a time; null: nothing is formatted.
  std::function<void(const LogEvent&)> log;

  /// Says whether creating the session is to end early, with kCancelled. As RunOptions::should_stop,
  /// but asked only between the plans of PlanOptions::warm_up_profile. Not used later.
  std::function<bool()> should_stop{};
};

/// A named value for a run.
struct NamedTensor {
  std::string name;
  Tensor value;
};

/// How one segment of a program was executed in a run.
struct SegmentRun {
  std::string segment;    ///< SegmentStatistics::name
  std::size_t first = 0;  ///< instructions [first, end) of the program
  std::size_t end = 0;
  Tier tier = Tier::kInterpreter;  ///< kInterpreter, kAny, kBucketed or kExact
  std::string box;                 ///< of the plan; empty for the interpreter
  std::string reason;              ///< why the interpreter; empty for a plan
};

/// What one run wants otherwise than the session's options say.
struct RunOptions {
  std::optional<Tier> tier{};
  /// Receives how each segment was executed, in order; null: nothing is told.
  std::vector<SegmentRun>* report = nullptr;
  /// Receives when each kernel, each instruction of the interpreter and each compile meanwhile began
  /// and ended, also of a run that fails: JSON that Perfetto and chrome://tracing open. Null: no
  /// times are taken.
  std::string* trace = nullptr;
  /// Says whether the run is to end early, with kCancelled: because of a deadline, a std::stop_token,
  /// a signal. Called by the thread that called run(), every 20 to 50 ms, not before so much time has
  /// passed, while kernels wait; it must not throw. After a yes the run ends soon, also inside one large
  /// kernel (most ask every millisecond; a single very long row comes to its end first), and others do
  /// not notice. Null: the run cannot be stopped, and nothing is asked.
  std::function<bool()> should_stop{};
};

/// The size of a symbol, or the value of another entry of a segment, by name: "n", "target[0]".
struct NamedSize {
  std::string name;
  std::int64_t value = 0;
};

/// What one run takes, in bytes.
struct MemoryEstimate {
  std::size_t input_bytes = 0;   ///< tensors that the caller brings
  std::size_t output_bytes = 0;  ///< tensors that the caller gets
  std::size_t arena_bytes = 0;   ///< all that lies in between; kept for the next run
};

/// What a session holds at the moment.
struct SessionStatistics {
  std::uint64_t runs = 0;  ///< finished without error
  std::uint64_t failed_runs = 0;
  std::size_t constant_bytes = 0;  ///< weights, and
  std::size_t packed_bytes = 0;    ///< forms of them that kernels prefer
  std::size_t live_bytes = 0;      ///< tensors in use now
  std::size_t peak_bytes = 0;      ///< most at one moment
  std::size_t reserved_bytes = 0;  ///< live and free blocks that the pool keeps
  PlanStatistics plans;
};

/// A model loaded for running. Thread-safe: any number of threads may run at once; they share the
/// process-wide thread pool. A session that was moved from may only be assigned to or destroyed.
class Session {
 public:
  /// Loads a file for running. Errors: those of Model::load() and of create().
  [[nodiscard]] static Result<Session> load(const std::string& path,
                                            const SessionOptions& options = {});
  /// Errors: kInvalidArgument (an option out of its range), kUnsupported (a CPU level that this
  /// processor lacks), those of warm_up() when the options name a profile, and kIo.
  [[nodiscard]] static Result<Session> create(Model model, const SessionOptions& options = {});

  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  /// Runs the model. Inputs are matched by name, in any order; each must be given once unless it
  /// has a default. Returns the outputs in the model's order; they stay valid after the session is
  /// gone.
  ///
  /// Errors: kInvalidArgument (unknown, missing, doubled input; element type), kShapeMismatch
  /// (rank, extent, a symbol with two values, or shapes that do not fit inside the model, naming
  /// the node), kResourceExhausted, kUnsupported (a tier was asked for that this model or these
  /// sizes cannot have, with the reason and the place), kCancelled (RunOptions::should_stop, with the
  /// place that the run had come to). The session stays usable after any error.
  [[nodiscard]] Result<std::vector<Tensor>> run(std::span<const NamedTensor> inputs,
                                                const RunOptions& options = {});

  /// Runs the model and describes what executed it: for each segment the tier, the box and the steps
  /// of the plan with what was fused into them, or why there is no plan. Text for people. Errors:
  /// those of run().
  [[nodiscard]] Result<std::string> explain(std::span<const NamedTensor> inputs,
                                            const RunOptions& options = {});

  /// The memory that a run at these sizes takes, by the plan for any size; weights, and packed forms
  /// of them, are not counted. Nothing is run, no tensor of a run is allocated, and no plan is left behind;
  /// weights may be packed, as a run would.
  /// Sizes are as for warm_up_exact(); where values of inputs decide what is computed, these values
  /// as well ("target[0]": element 0 of the input target).
  /// Errors: kInvalidArgument (a name is missing or unknown, a size is negative; where values decide,
  /// it names those that are wanted and the place), kResourceExhausted (a tensor that no memory could
  /// hold), kUnsupported (sizes that only a run shows, with the place; or no plan can serve these
  /// sizes or values, with the reason).
  [[nodiscard]] Result<MemoryEstimate> estimate(std::span<const NamedSize> sizes) const;

  /// What was recorded of the traffic so far, as JSON: signatures by weight, and ranges of
  /// integer inputs. Without PlanOptions::record there is nothing in it.
  [[nodiscard]] std::string profile() const;

  /// Compiles the heaviest boxes of a profile, at most PlanOptions::warm_up_boxes, and returns when
  /// they are ready; also in a sealed session. Boxes that cannot be compiled are told as events and
  /// left out. `should_stop` is as in RunOptions, but asked only between plans; those that are ready
  /// stay. Errors: kCorrupt, kUnsupported or kResourceExhausted (the text is no profile),
  /// kInvalidArgument (nothing in it is about this model), kCancelled.
  [[nodiscard]] Status warm_up(std::string_view profile,
                               const std::function<bool()>& should_stop = nullptr);

  /// Compiles a plan for exactly these sizes, also in a sealed session: every size that a segment
  /// depends on, by the name of its symbol (SegmentStatistics::entries), and the values of inputs that
  /// decide what follows. Values also get a plan for all other sizes, unless the floor is the
  /// interpreter. Errors: kInvalidArgument (a name is missing or unknown, a size is negative),
  /// kUnsupported (no segment has sizes that are known before a run).
  [[nodiscard]] Status warm_up_exact(std::span<const NamedSize> sizes);

  /// Waits until the background thread has nothing left to compile. For tests and measurements.
  void finish_compiling();

  [[nodiscard]] const Model& model() const;
  [[nodiscard]] SessionStatistics statistics() const;

  /// Gives free memory back to the system; returns how many bytes. Safe while runs are in flight.
  std::size_t trim();

 private:
  struct State;
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Version of the library, for example "0.1.0".
[[nodiscard]] const char* version();

}  // namespace pliant
