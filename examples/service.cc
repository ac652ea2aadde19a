// A service in small: one session, several threads that serve requests of any size, and what
// operators want to know. docs/service.md explains it piece by piece.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <pliant/session.h>

namespace {

void write_event(const pliant::LogEvent& event) {
  std::string line = event.kind;
  for (const auto& [name, value] : event.fields) {
    line.append(" ").append(name).append("=").append(value);
  }
  std::fprintf(stderr, "%s\n", line.c_str());
}

// What a client is told. A failed run has no effect on the session or on other runs.
int status_of(const pliant::Error& error) {
  switch (error.code) {
    case pliant::ErrorCode::kInvalidArgument:  // a wrong name or element type
    case pliant::ErrorCode::kShapeMismatch:    // sizes that the model cannot have
      return 400;
    case pliant::ErrorCode::kResourceExhausted:  // max_bytes: later, or smaller
      return 503;
    default:
      return 500;
  }
}

int serve(pliant::Session& session, std::span<const std::int64_t> shape) {
  auto x = pliant::Tensor::allocate(pliant::DType::kF32, shape);  // or borrow() the client's bytes
  if (!x) {
    return status_of(x.error());
  }
  std::fill_n(static_cast<float*>(x->mutable_data()), x->element_count(), 1.0F);
  const auto outputs = session.run({{{"x", *x}}});
  return outputs ? 200 : status_of(outputs.error());
}

void print_statistics(const pliant::SessionStatistics& now) {
  std::printf("runs %llu, failed %llu\n", static_cast<unsigned long long>(now.runs),
              static_cast<unsigned long long>(now.failed_runs));
  std::printf("interpreted %llu, declined for %zu reasons\n",
              static_cast<unsigned long long>(now.plans.total.interpreted_runs),
              now.plans.total.declines.size());
}

}  // namespace

int main(int argc, char** argv) {
  pliant::SessionOptions options;
  options.threads = 1;                          // of one run; several runs share the cores
  options.max_bytes = std::size_t{512} << 20U;  // of all runs at one moment
  options.plans.record = true;                  // for the next start: session->profile()
  options.log = write_event;
  auto session = pliant::Session::load(argc > 1 ? argv[1] : "row_sums.pasm", options);
  if (!session) {
    return std::puts(session.error().to_string().c_str()), 1;
  }

  constexpr int kRequestThreads = 4;
  std::vector<std::thread> threads;
  threads.reserve(kRequestThreads);
  for (int thread = 0; thread < kRequestThreads; ++thread) {
    threads.emplace_back([&session, thread] {
      for (std::int64_t request = 0; request < 100; ++request) {
        serve(*session, {{request % (thread + 10), 4}});
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }

  std::printf("a row without a matrix: %d\n", serve(*session, {{4}}));
  print_statistics(session->statistics());
  session->trim();
}
