#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pliant {

/// How the segments of a program are executed.
enum class Tier : std::uint8_t {
  kAuto,         ///< by the best plan that there is; the interpreter where there is none
  kInterpreter,  ///< instruction by instruction
  kAny,          ///< by the plan for any size
  kBucketed,     ///< by a plan for the bucket that the sizes fall into
  kExact,        ///< by a plan for exactly the sizes of the run
};

/// "auto", "interpreter", "any", "bucketed" or "exact".
[[nodiscard]] const char* tier_name(Tier tier);
/// The tier of such a name; empty for any other text.
[[nodiscard]] std::optional<Tier> tier_from_name(std::string_view name);

/// What runs that no narrower plan covers are executed by.
enum class Floor : std::uint8_t {
  kPlan,         ///< a plan for any size, which exists before the first run
  kInterpreter,  ///< nothing but hot buckets has plans
};

/// Who compiles plans once the session is ready.
enum class Compiling : std::uint8_t {
  kBackground,  ///< one thread of the session; runs never wait for it
  kSync,        ///< the run that makes a box hot, before it goes on; for tests
  kSealed,      ///< nobody: only loading, warm_up() and warm_up_exact() compile
};

/// Which plans exist. Limits count per segment of the program unless said otherwise; most programs
/// are one segment. Plain values; create() refuses what lies outside its range.
struct PlanOptions {
  /// How runs are executed unless RunOptions say otherwise. A tier other than kAuto is for tests and
  /// comparisons: what it lacks is compiled in the run, and a run that cannot have it fails.
  Tier tier = Tier::kAuto;
  /// kInterpreter leaves the plan for any size out: nothing is specialised before it is hot.
  Floor floor = Floor::kPlan;
  /// Who compiles plans for hot boxes.
  Compiling compiling = Compiling::kBackground;
  /// Whether plans may use fusions that round differently from the instructions that they replace
  /// (softmax, GELU, normalisation and attention from their parts). Off: plans and the interpreter
  /// agree bit for bit; slower where models come in decomposed form.
  bool rounding_fusions = true;

  // When plans are compiled
  /// Runs in one bucketed box until it is compiled, in a row or as a decayed count. Range
  /// 1..1,000,000. Lower compiles sooner and more; above about 1,440 only runs in a row count.
  std::int64_t min_compile_iters = 50;
  /// Runs after which a count has halved. Range 1..1,000,000. Lower forgets old traffic sooner and
  /// asks a box for a larger share of the traffic.
  std::int64_t half_life_runs = 1000;
  /// Extents that share a bucketed plan. Range 1..65,536. Wider means fewer plans that know less.
  std::int64_t bucket_width = 16;
  /// Boxes whose runs are counted. Range 2..1,048,576. Fewer forget rare boxes sooner.
  std::size_t max_counted_boxes = 1024;

  // How many are kept
  /// Plans that are kept beside the floor; the least recently used goes. Range 1..65,536.
  std::size_t max_plans = 32;
  /// Bytes of all plans of the session and of the layouts remembered for them, floors left out. Range
  /// 1 and up.
  std::size_t max_plan_bytes = std::size_t{64} << 20U;

  // When compiling stops
  /// New boxes that may turn hot within `breaker_window`; one more stops compiling. Range
  /// 0..65,536; 0: it never stops.
  std::size_t breaker_new_boxes = 16;
  /// Range 1 ms..24 h. Longer notices slower storms.
  std::chrono::milliseconds breaker_window = std::chrono::minutes(2);
  /// How long new boxes must have been few again until one compile is tried. Range 0..24 h.
  /// Shorter recovers sooner and tries more often in vain.
  std::chrono::milliseconds breaker_calm_period = std::chrono::seconds(30);

  // Traffic profiles
  /// Counts the signatures of all runs, for Session::profile(). Costs about 0.1 µs per run.
  bool record = false;
  /// Distinct signatures that a recorded profile holds. Range 1..65,536; the lightest go.
  std::size_t max_profile_signatures = 4096;
  /// A recorded profile whose heaviest boxes are compiled before the session is ready; empty: none.
  std::string warm_up_profile = {};
  /// Boxes that warming up compiles at most. Range 0..65,536. More makes loading longer; those above
  /// `max_plans` would push others out.
  std::size_t warm_up_boxes = 8;

  // Safety
  /// Runs each new plan beside the interpreter at up to three points of its box before it is used,
  /// on made-up inputs. A plan that answers differently is never used. Makes compiling slower.
  bool self_check = false;
  /// Folder for what is needed to reproduce such a difference: program, inputs, a description.
  /// Must exist; empty: nothing is written.
  std::string reproducer_folder = {};
};

}  // namespace pliant
