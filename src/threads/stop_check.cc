#include "threads/stop_check.h"

#include <immintrin.h>

#include "base/result.h"

namespace pliant {
namespace {

/// Ticks of the processor's counter between two questions: 20 to 50 ms where it runs at 2 to 5 GHz.
/// Reading it is several times cheaper than asking a clock, and the exact time does not matter.
constexpr std::uint64_t kPause = 100'000'000;

}  // namespace

StopCheck::StopCheck(const std::function<bool()>& should_stop)
    : should_stop_(should_stop), asked_(__rdtsc()) {}

bool StopCheck::ask() {
  if (stopped_.load(std::memory_order_relaxed)) {
    return true;
  }
  return std::this_thread::get_id() == owner_ && __rdtsc() - asked_ >= kPause && ask_caller();
}

bool StopCheck::ask_caller() {
  const bool stops = should_stop_();
  stopped_.store(stops, std::memory_order_relaxed);
  asked_ = __rdtsc();  // after the answer, which may have taken its time
  return stops;
}

Error stopped() {
  return make_error(ErrorCode::kCancelled, "stopped before it was done, as its caller asked");
}

}  // namespace pliant
