// What the program `pliant` says about plans: tiers, explain, profiles, bench.

#include <gmock/gmock.h>

#include "cli/program_fixture.h"
#include "cli/request_list.h"

namespace pliant::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

constexpr const char* kModel = R"(.input x f32[batch, seq]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_ADD r1, r0, r0
SOFTMAX r2, r1, axis=1
STORE_TENSOR y, r2
)";

/// Its sizes depend on computed elements, so that its second half can have no plan.
constexpr const char* kDataDependent = R"(.input x f32[rows]
.output y
LOAD_TENSOR r0, x
NON_ZERO r1, r0
STORE_TENSOR y, r1
)";

class PlansTest : public ProgramTest {
 protected:
  PlansTest() { folder_.write("m.pasm", kModel); }
};

TEST_F(PlansTest, HelpNamesTheOptionsWithTheirDefaults) {
  for (const std::string command : {"run", "bench", "explain"}) {
    EXPECT_THAT(pliant(command + " --help").out,
                AllOf(HasSubstr("--tier auto|interpreter|any|bucketed|exact=auto"),
                      HasSubstr("--compiling background|sync|sealed=background"),
                      HasSubstr("--rounding-fusions on|off=on"),
                      HasSubstr("--min-compile-iters N=50"), HasSubstr("--profile FILE")))
        << command;
  }
}

TEST_F(PlansTest, EachTierGivesTheSameAnswer) {
  const std::string run = "run m.pasm --random batch=2,seq=3 --rounding-fusions off";
  const Outcome expected = pliant(run);
  EXPECT_EQ(expected.code, 0) << expected.err;
  for (const std::string tier : {"auto", "interpreter", "any", "bucketed", "exact"}) {
    const Outcome outcome = pliant(run + " --tier " + tier);
    EXPECT_EQ(outcome.out, expected.out) << tier << outcome.err;
  }
}

TEST_F(PlansTest, VerboseNamesTierAndBoxOfEachSegment) {
  const std::string run = "run m.pasm --random batch=2,seq=40 --verbose";
  EXPECT_THAT(pliant(run).err,
              HasSubstr("segment 0: instructions 0..3, tier any, box batch any, seq any"));
  EXPECT_THAT(pliant(run + " --tier bucketed").err,
              HasSubstr("tier bucketed, box batch 0..16, seq 33..48"));
  EXPECT_THAT(pliant(run + " --tier exact").err, HasSubstr("tier exact, box batch 2, seq 40"));
  EXPECT_THAT(pliant(run + " --tier interpreter").err,
              HasSubstr("instructions 0..3, tier interpreter, it was asked for"));
}

TEST_F(PlansTest, ATierThatCannotBeHadSaysWhyAndWhere) {
  const Outcome sealed =
      pliant("run m.pasm --random batch=1,seq=1 --tier exact --compiling sealed");
  EXPECT_EQ(sealed.code, 1);
  EXPECT_THAT(sealed.err, AllOf(HasSubstr("no plan of tier 'exact'"), HasSubstr("sealed"),
                                HasSubstr("LOAD_TENSOR")));
}

TEST_F(PlansTest, WrongValuesAreRefusedByName) {
  const std::string run = "run m.pasm --random batch=1,seq=1 ";
  const Outcome tier = pliant(run + "--tier fast");
  EXPECT_EQ(tier.code, 1);
  EXPECT_THAT(tier.err, HasSubstr("--tier: expected auto|interpreter|any|bucketed|exact: 'fast'"));
  EXPECT_THAT(pliant(run + "--floor none").err, HasSubstr("expected plan|interpreter: 'none'"));
  EXPECT_THAT(pliant(run + "--rounding-fusions 1").err, HasSubstr("expected on|off: '1'"));
  const Outcome width = pliant(run + "--bucket-width 0");
  EXPECT_EQ(width.code, 1);
  EXPECT_THAT(width.err, AllOf(HasSubstr("bucket_width"), HasSubstr("1..65536"), HasSubstr("0")));
  EXPECT_THAT(pliant(run + "--max-plans -1").err, HasSubstr("must not be negative: -1"));
  EXPECT_THAT(pliant(run + "--breaker-window 99999999999").err, HasSubstr("breaker_window"));
}

TEST_F(PlansTest, ExplainShowsBoxStepsAndFusions) {
  const Outcome outcome = pliant("explain m.pasm --random batch=4,seq=128 --tier bucketed");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("tier bucketed"), HasSubstr("seq 113..128"), HasSubstr("SOFTMAX")));
  EXPECT_EQ(pliant("explain m.pasm --random batch=4").code, 1);
}

TEST_F(PlansTest, TraceIsWrittenBesideTheResults) {
  const Outcome outcome = pliant("run m.pasm --random batch=2,seq=3 --trace trace.json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(folder_.read("trace.json"),
              AllOf(HasSubstr("traceEvents"), HasSubstr("\"SOFTMAX\"")));
  EXPECT_EQ(pliant("run m.pasm --random batch=2,seq=3 --trace trace.json").code, 0);
  EXPECT_EQ(pliant("run m.pasm --random batch=2,seq=3 --trace none/trace.json").code, 1);
}

TEST_F(PlansTest, ExplainSaysWhyThereIsNoPlan) {
  folder_.write("d.pasm", kDataDependent);
  EXPECT_THAT(pliant("explain d.pasm --random rows=3").out,
              AllOf(HasSubstr("d.pasm:4:1"), HasSubstr("sizes depend on computed elements")));
}

TEST_F(PlansTest, BenchSaysWhichTierRanAndWhatWasCompiled) {
  const std::string bench = "bench m.pasm --random batch=4 --sizes seq=30 --warm-up 0 ";
  EXPECT_THAT(pliant(bench + "--runs 3").out,
              AllOf(HasSubstr("tier"), HasSubstr("any"), HasSubstr("compiles: 0 in"),
                    HasSubstr("1 for any size")));
  EXPECT_THAT(pliant(bench + "--runs 3 --tier interpreter").out, HasSubstr("interpreter"));
  // Without a floor every plan gains, so the tenth run compiles one for the bucket.
  EXPECT_THAT(pliant(bench + "--runs 20 --floor interpreter --compiling sync "
                             "--min-compile-iters 11")
                  .out,
              AllOf(HasSubstr("bucketed 50%, interpreter 50%"), HasSubstr("compiles: 1 in")));
}

TEST_F(PlansTest, ProfileRecordsRequestsAndWarmsUp) {
  folder_.write("requests.txt", "# one per line\nbatch=4,seq=30\n\n  batch=4,seq=30\n");
  const Outcome profile =
      pliant("profile m.pasm --requests requests.txt --random batch=1,seq=99 -o traffic.json");
  EXPECT_EQ(profile.code, 0) << profile.err;
  EXPECT_THAT(profile.out, HasSubstr("traffic.json: 3 requests recorded"));
  EXPECT_EQ(pliant("profile m.pasm --random batch=1,seq=9 -o traffic.json").code, 1);
  const Outcome warm = pliant(
      "run m.pasm --random batch=3,seq=20 --profile traffic.json --floor interpreter "
      "--compiling sealed --verbose");
  EXPECT_EQ(warm.code, 0) << warm.err;
  EXPECT_THAT(warm.err, HasSubstr("tier bucketed, box batch 0..16, seq 17..32"));
}

TEST_F(PlansTest, ProfileSaysWhichLineIsWrong) {
  folder_.write("requests.txt", "batch=4,seq=30\nbatch=4,seq\n");
  const Outcome syntax = pliant("profile m.pasm --requests requests.txt -o traffic.json");
  EXPECT_EQ(syntax.code, 1);
  EXPECT_THAT(syntax.err, AllOf(HasSubstr("requests.txt:2:1"), HasSubstr("batch=4,seq")));
  folder_.write("requests.txt", "batch=4,seq=30\nbatch=4\n");
  EXPECT_THAT(pliant("profile m.pasm --requests requests.txt -o traffic.json").err,
              HasSubstr("--random needs extents for: seq"));
  EXPECT_THAT(pliant("profile m.pasm -o traffic.json").err, HasSubstr("there are no requests"));
  EXPECT_FALSE(exists("traffic.json"));
  folder_.write("broken.json", "{\"format\": 1");
  const Outcome broken = pliant("run m.pasm --random batch=1,seq=1 --profile broken.json");
  EXPECT_EQ(broken.code, 1);
  EXPECT_THAT(broken.err, Not(HasSubstr("internal")));
}

TEST(Requests, AreReadLineByLine) {
  testing::TemporaryFolder folder;
  folder.write("r.txt", "a=1,b=2 # first\r\n#\n\t\na=3");
  const auto requests = read_requests(folder / "r.txt");
  ASSERT_TRUE(requests);
  ASSERT_EQ(requests->size(), 2u);
  EXPECT_THAT((*requests)[0], ElementsAre(Pair("a", 1), Pair("b", 2)));
  EXPECT_THAT((*requests)[1], ElementsAre(Pair("a", 3)));
  EXPECT_FALSE(read_requests(folder / "missing.txt"));
}

}  // namespace
}  // namespace pliant::cli
