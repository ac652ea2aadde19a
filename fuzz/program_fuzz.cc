// Random valid programs through text, bytecode and a session: see oracles/session_runs.h.

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "base/check.h"
#include "generators/program.h"
#include "oracles/session_runs.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pliant::fuzz::Choices choices(std::span(data, size));
  const auto runs = pliant::fuzz::run_in_session(pliant::fuzz::generate_program(choices));
  if (!runs.complaint.empty()) {
    std::fputs(runs.complaint.c_str(), stderr);
    PLIANT_CHECK(runs.complaint.empty());
  }
  return 0;
}
