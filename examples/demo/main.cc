// Writes a transformer encoder as an ONNX file, serves a stream of requests of varying length with
// it, checks sampled answers against a plain computation, serves some of them padded and interpreted too,
// and prints what it measured.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>

#include <pliant/session.h>

#include "comparison.h"
#include "encoder.h"
#include "reference.h"
#include "report.h"
#include "timeline.h"
#include "traffic.h"

namespace demo {

namespace {

struct Options {
  EncoderSizes sizes;
  TrafficOptions traffic;
  pliant::SessionOptions session;
  std::string model = "encoder.onnx";
  int checks = 3;
  int compared = 24;
};

// What two correct computations of a whole model may differ by in f32.
constexpr double kRelativeTolerance = 1e-3;
constexpr double kAbsoluteTolerance = 1e-4;

/// Requests whose answers are computed again with the reference; longer ones would take too long.
constexpr std::int64_t kLongestChecked = 96;

pliant::Result<pliant::Tensor> run(pliant::Session& session, std::int64_t batch,
                                   std::int64_t length, std::span<const std::int64_t> tokens,
                                   std::vector<pliant::SegmentRun>* report = nullptr) {
  const std::int64_t shape[] = {batch, length};
  auto input = pliant::Tensor::copy_of<std::int64_t>(pliant::DType::kI64, shape, tokens);
  if (!input) {
    return input.error();
  }
  const pliant::NamedTensor inputs[] = {{"input_ids", *input}};
  auto outputs = session.run(inputs, {.report = report});
  if (!outputs) {
    return outputs.error();
  }
  return outputs->front();
}

/// Indices of requests to check: spread evenly over the lengths that the reference can afford.
std::vector<std::size_t> choose_checked(const std::vector<Request>& requests, int count) {
  std::vector<std::size_t> affordable;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].length <= kLongestChecked) {
      affordable.push_back(i);
    }
  }
  std::stable_sort(affordable.begin(), affordable.end(), [&](std::size_t a, std::size_t b) {
    return requests[a].length < requests[b].length;
  });
  std::vector<std::size_t> chosen;
  const auto wanted = std::min(affordable.size(), static_cast<std::size_t>(std::max(0, count)));
  for (std::size_t i = 0; i < wanted; ++i) {
    chosen.push_back(affordable[wanted == 1 ? 0 : i * (affordable.size() - 1) / (wanted - 1)]);
  }
  return chosen;
}

/// Compares the last sequence of a request's answer with the reference; prints one line.
bool check_against_reference(const EncoderSizes& sizes, const Request& request,
                             const pliant::Tensor& answer) {
  const std::int64_t index = request.batch - 1;
  const auto start = Clock::now();
  const std::vector<double> expected = reference_encoder(sizes, request.sequence(index));
  const std::span<const float> actual = answer.values<float>().subspan(
      static_cast<std::size_t>(index) * expected.size(), expected.size());
  double largest = 0;
  bool good = true;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::abs(static_cast<double>(actual[i]) - expected[i]);
    largest = std::max(largest, difference);
    good = good && difference <= kAbsoluteTolerance + kRelativeTolerance * std::abs(expected[i]);
  }
  fmt::print(
      "  sequence {} of {}, length {:>3}: largest difference {:.1e} of {} numbers: {} ({:.1f} s)\n",
      index + 1, request.batch, request.length, largest, expected.size(), good ? "ok" : "WRONG",
      seconds_since(start));
  std::fflush(stdout);
  return good;
}

/// Runs each sequence of a request alone: its answer must have the same bits as in the batch.
bool check_alone(pliant::Session& session, const Request& request, const pliant::Tensor& answer) {
  const std::size_t count = answer.values<float>().size() / static_cast<std::size_t>(request.batch);
  bool good = true;
  for (std::int64_t i = 0; i < request.batch; ++i) {
    const auto alone = run(session, 1, request.length, request.sequence(i));
    good = good && alone &&
           std::memcmp(alone->values<float>().data(),
                       answer.values<float>().data() + static_cast<std::size_t>(i) * count,
                       count * sizeof(float)) == 0;
  }
  fmt::print("  {} sequences of length {} alone: the same bits as in their batch: {}\n",
             request.batch, request.length, good ? "ok" : "WRONG");
  return good;
}

int fail(const pliant::Error& error) {
  fmt::print(stderr, "error: {}\n", error.to_string());
  return 1;
}

/// Writes the model and loads it.
pliant::Result<pliant::Session> prepare(const Options& options) {
  auto start = Clock::now();
  if (auto status = write_encoder(options.sizes, options.model); !status) {
    return status.error();
  }
  fmt::print("Wrote {} ({}) in {:.1f} s\n", options.model,
             megabytes(std::filesystem::file_size(options.model)), seconds_since(start));
  std::fflush(stdout);

  start = Clock::now();
  auto session = pliant::Session::load(options.model, options.session);
  if (!session) {
    return session.error();
  }
  fmt::print("Loaded it in {:.2f} s: {} instructions, {} of weights\n", seconds_since(start),
             session->model().instruction_count(), megabytes(session->model().constant_bytes()));

  start = Clock::now();
  if (auto first = run(*session, 1, 1, std::vector<std::int64_t>{0}); !first) {
    return first.error();
  }
  fmt::print("First run, which also packs the weights: {:.0f} ms\n\n", seconds_since(start) * 1e3);
  return session;
}

/// An answer to check later.
struct Answer {
  const Request* request;
  pliant::Tensor values;
};

/// Runs all requests; keeps the answers to those in `checked`.
pliant::Result<std::vector<Answer>> serve(pliant::Session& session, const EncoderSizes& sizes,
                                          const std::vector<Request>& requests,
                                          const std::vector<std::size_t>& checked,
                                          Timeline& timeline) {
  std::vector<Answer> answers;
  std::vector<pliant::SegmentRun> report;
  std::vector<Sample> samples;
  {
    Progress progress("served", static_cast<std::int64_t>(requests.size()));
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Request& request = requests[i];
      const auto start = Clock::now();
      report.clear();
      auto answer = run(session, request.batch, request.length, request.tokens, &report);
      if (!answer) {
        return answer.error();
      }
      timeline.note_request(report);
      samples.push_back(
          {.batch = request.batch,
           .length = request.length,
           .seconds = seconds_since(start),
           .flops = static_cast<double>(request.batch) * sizes.flops(request.length)});
      if (std::find(checked.begin(), checked.end(), i) != checked.end()) {
        answers.push_back({&request, *answer});
      }
      progress.show(static_cast<std::int64_t>(i) + 1);
    }
  }
  fmt::print("\n");
  print_latency_table(samples);
  return answers;
}

void print_memory(const pliant::SessionStatistics& statistics, const ProcessMemory& before) {
  const ProcessMemory after = process_memory();
  fmt::print("\nMemory\n");
  fmt::print("  weights {}, packed for kernels {}\n", megabytes(statistics.constant_bytes),
             megabytes(statistics.packed_bytes));
  fmt::print("  tensors of runs: at most {} at one moment, {} kept by the pool\n",
             megabytes(statistics.peak_bytes), megabytes(statistics.reserved_bytes));
  fmt::print("  process: {} before the requests, {} after them\n", megabytes(before.resident_bytes),
             megabytes(after.resident_bytes));
}

bool check(pliant::Session& session, const EncoderSizes& sizes,
           const std::vector<Answer>& answers) {
  fmt::print("\nChecking {} answers against a plain computation in doubles\n", answers.size());
  std::fflush(stdout);
  bool good = true;
  for (const Answer& answer : answers) {
    good = check_against_reference(sizes, *answer.request, answer.values) && good;
  }
  const auto largest_batch = std::max_element(
      answers.begin(), answers.end(),
      [](const Answer& a, const Answer& b) { return a.request->batch < b.request->batch; });
  if (largest_batch != answers.end()) {
    good = check_alone(session, *largest_batch->request, largest_batch->values) && good;
  }
  return good;
}

/// Every n-th request, so that the comparison takes seconds rather than minutes.
std::vector<Request> choose_compared(const std::vector<Request>& requests, int count) {
  const auto wanted = std::min(requests.size(), static_cast<std::size_t>(count));
  std::vector<Request> chosen;
  for (std::size_t i = 0; i < wanted; ++i) {
    chosen.push_back(requests[i * requests.size() / wanted]);
  }
  return chosen;
}

int run_demo(Options options) {
  Timeline timeline;
  options.session.log = [&](const pliant::LogEvent& event) { timeline.note_event(event); };
  const EncoderSizes& sizes = options.sizes;
  fmt::print("Pliant {}: a transformer encoder, {} layers, hidden {}, {} heads, random weights\n\n",
             pliant::version(), sizes.layers, sizes.hidden, sizes.heads());
  auto session = prepare(options);
  if (!session) {
    return fail(session.error());
  }

  const std::vector<Request> requests = make_traffic(options.traffic, sizes);
  std::set<std::pair<std::int64_t, std::int64_t>> shapes;
  for (const Request& request : requests) {
    shapes.emplace(request.batch, request.length);
  }
  fmt::print(
      "Serving {} requests: batch 1..{}, length {}..{}, {} different shapes, nothing padded\n",
      requests.size(), options.traffic.largest_batch, options.traffic.shortest,
      options.traffic.longest, shapes.size());
  const ProcessMemory before = process_memory();
  const auto answers =
      serve(*session, sizes, requests, choose_checked(requests, options.checks), timeline);
  if (!answers) {
    return fail(answers.error());
  }
  timeline.print();
  print_memory(session->statistics(), before);
  if (options.compared > 0) {
    const auto compared = compare_ways(*session, choose_compared(requests, options.compared),
                                       options.traffic.longest);
    if (!compared) {
      return fail(compared.error());
    }
  }
  const bool good = check(*session, sizes, *answers);
  fmt::print("\n{}\n", good ? "Done: all checks passed." : "Some checks FAILED.");
  return good ? 0 : 1;
}

int main_with(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Writes a transformer encoder with random weights as an ONNX file, loads it, runs a stream "
      "of requests of varying "
      "length through it, checks sampled answers against a plain computation and prints latencies, "
      "throughput and "
      "memory.");
  app.option_defaults()->always_capture_default();
  app.add_option("--layers", options.sizes.layers, "layers of the encoder")
      ->check(CLI::Range(1, 100));
  app.add_option("--hidden", options.sizes.hidden, "columns of the hidden state, a multiple of 64")
      ->check(CLI::Range(64, 8192))
      ->check([](const std::string& text) {
        return std::stoll(text) % EncoderSizes::kHeadColumns == 0
                   ? std::string()
                   : std::string("is no multiple of 64");
      });
  app.add_option("--requests", options.traffic.requests, "requests to serve")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--shortest", options.traffic.shortest, "tokens of the shortest sequence")
      ->check(CLI::Range(1, 512));
  app.add_option("--longest", options.traffic.longest, "tokens of the longest sequence")
      ->check(CLI::Range(1, 512));
  app.add_option("--batch", options.traffic.largest_batch, "sequences of the largest request")
      ->check(CLI::Range(1, 64));
  app.add_option("--seed", options.traffic.seed, "another seed gives other requests");
  app.add_option("--checks", options.checks, "answers to check against the plain computation")
      ->check(CLI::Range(0, 1000));
  app.add_option("--compare", options.compared,
                 "requests to serve padded and interpreted too; 0: none")
      ->check(CLI::Range(0, 100000));
  app.add_option("--threads", options.session.threads,
                 "threads of one run; 0: all cores it may use")
      ->check(CLI::Range(0, 256));
  app.add_option("--cpu-level", options.session.cpu_level,
                 "best CPU level to use; empty: what the CPU has")
      ->check(CLI::IsMember({"", "portable", "avx2", "avx512"}));
  app.add_option("--model", options.model, "where the model is written; it stays there afterwards");
  CLI11_PARSE(app, argc, argv);
  if (options.traffic.shortest > options.traffic.longest) {
    fmt::print(stderr, "error: --shortest {} is more than --longest {}\n", options.traffic.shortest,
               options.traffic.longest);
    return 1;
  }
  return run_demo(options);
}

}  // namespace

}  // namespace demo

int main(int argc, char** argv) {
  return demo::main_with(argc, argv);
}
