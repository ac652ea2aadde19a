#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

#include "generators/program.h"
#include "isa/info.h"
#include "oracles/session_runs.h"

namespace pliant::fuzz {
namespace {

TEST(RandomPrograms, RunWithoutHarm) {
  constexpr std::uint64_t kPrograms = 300;
  std::size_t finished = 0;
  std::map<std::string, int> mnemonics;
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
    Choices choices(seed);
    const SessionRuns runs = run_in_session(generate_program(choices));
    ASSERT_EQ(runs.complaint, "") << "seed " << seed;
    finished += runs.finished;
    for (const auto& [mnemonic, count] : runs.mnemonics) {
      mnemonics[mnemonic] += count;
    }
  }
  // The generator is of use only while most of the instruction set occurs and some runs finish.
  RecordProperty("finished", static_cast<int>(finished));
  RecordProperty("instructions", static_cast<int>(mnemonics.size()));
  EXPECT_GT(finished, kPrograms);
  EXPECT_GT(mnemonics.size(), isa::instructions().size() / 2);
}

TEST(RandomPrograms, AreTheSameForTheSameSeed) {
  Choices first(7);
  Choices second(7);
  const GeneratedProgram a = generate_program(first);
  const GeneratedProgram b = generate_program(second);
  EXPECT_EQ(a.program.instructions, b.program.instructions);
  EXPECT_EQ(a.runs, b.runs);
}

}  // namespace
}  // namespace pliant::fuzz
