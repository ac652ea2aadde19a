#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include <pliant/session.h>

#include "generators/program.h"
#include "isa/info.h"
#include "oracles/session_runs.h"
#include "support/size_sweep.h"
#include "text/printer.h"

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

TEST(RandomPrograms, BucketedPlansAgreeWithTheInterpreterAtEverySize) {
  constexpr std::uint64_t kPrograms = 300;
  int accepted = 0;
  std::size_t boxes = 0;
  testing::RunsByTier tiers;
  for (std::uint64_t seed = 1000; seed < 1000 + kPrograms; ++seed) {
    Choices choices(seed);
    const GeneratedProgram generated = generate_program(choices);
    if (has_random(generated.program)) {
      continue;
    }
    SessionOptions options;
    options.threads = 1;
    options.max_bytes = std::size_t{64} << 20;
    options.plans.rounding_fusions = false;
    options.plans.compiling = Compiling::kSync;
    auto model = Model::from_assembly(text::print(generated.program), "generated");
    ASSERT_TRUE(model) << model.error().to_string();
    auto session = Session::create(std::move(*model), options);
    ASSERT_TRUE(session) << session.error().to_string();
    const testing::InputMaker maker(session->model(),
                                    make_inputs(generated.program, generated.runs.front()));
    const testing::SweepResult result =
        testing::sweep_sizes(*session, std::span(&maker, 1), {.random_points = 8});
    ASSERT_EQ(result.complaint, "") << "seed " << seed << '\n' << text::print(generated.program);
    accepted += result.requests - result.refused;
    boxes += result.boxes;
    for (const auto& [tier, runs] : result.tiers) {
      tiers[tier].add(runs);
    }
  }
  RecordProperty("accepted", accepted);
  EXPECT_GT(accepted, static_cast<int>(kPrograms) * 10);
  EXPECT_GT(boxes, kPrograms / 2);
  EXPECT_EQ(tiers.size(), 3u) << to_string(tiers);
  EXPECT_EQ(
      testing::unexpected_refusal(tiers, {"the expression of an extent grew past its limit",
                                          "a shape came out otherwise than the plan assumed"}),
      "");
}

TEST(SizeSweep, NamesATierThatRefuses) {
  testing::RunsByTier tiers;
  tiers[Tier::kBucketed] = {40, 0, {}};
  tiers[Tier::kAny] = {19, 1, {{"too long", "case 0, n 3"}}};
  EXPECT_EQ(testing::unexpected_refusal(tiers, {"long"}), "");
  EXPECT_EQ(testing::unexpected_refusal(tiers, {"wide"}),
            "tier any refused 1 of 20 runs, first at case 0, n 3: too long");
  // Whatever limit it is, a tier is there at some size.
  tiers[Tier::kAny].planned = 0;
  EXPECT_NE(testing::unexpected_refusal(tiers, {"long"}), "");
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
