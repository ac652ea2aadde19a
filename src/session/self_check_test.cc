#include "session/self_check.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "session/segment_sizes.h"
#include "text/assembler.h"
#include "threads/thread_pool.h"
#include "verify/verify.h"

namespace pliant::session {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

VerifiedProgram assemble(const std::string& text) {
  Diagnostics diagnostics;
  auto program = text::assemble(text, "test.pasm", diagnostics);
  EXPECT_TRUE(program) << program.error().to_string();
  auto verified = verify::verify(std::move(*program));
  EXPECT_TRUE(verified) << verified.error().to_string();
  return *verified;
}

/// A program of one segment, and what checks plans for it.
class Checked {
 public:
  explicit Checked(const std::string& text, std::string folder = "")
      : program_(assemble(text)),
        uses_(*program_),
        segment_(plan::compile_segment({*program_, uses_, 0, program_->instructions.size()},
                                       plan::declared_ranks(*program_), {},
                                       plan::CompileOptions{level_, false})),
        floor_(plan::compile_any_size(segment_.compiled(), reason_)),
        interpreter_(program_, interp::Environment{pool_, *parallel_, level_, nullptr}),
        ranges_(*program_),
        check_(interpreter_, environment_, ranges_, std::move(folder)) {}

  [[nodiscard]] SelfCheck::Verdict check(const plan::Plan& plan, shapes::Signature seen,
                                         shapes::Signature highest = {}) const {
    return check_.check(segment_, plan, seen, highest);
  }
  [[nodiscard]] const Segment& segment() const { return segment_; }
  [[nodiscard]] const std::shared_ptr<const plan::Plan>& floor() const { return floor_; }
  [[nodiscard]] ValueRanges& ranges() { return ranges_; }

 private:
  const CpuLevel level_ = CpuLevel::kPortable;
  memory::Pool pool_{memory::PoolOptions{}};
  std::unique_ptr<ParallelFor> parallel_ = threads::parallel_for_on_pool(1);
  plan::Environment environment_{pool_, *parallel_, level_, nullptr};
  VerifiedProgram program_;
  plan::RegisterUses uses_;
  Segment segment_;
  plan::DeclineReason reason_ = plan::DeclineReason::kNone;
  std::shared_ptr<const plan::Plan> floor_;
  interp::Interpreter interpreter_;
  ValueRanges ranges_;
  SelfCheck check_;
};

std::string elementwise(const std::string& mnemonic) {
  return ".input x f32[n, 2]\n.output y\nLOAD_TENSOR r0, x\n" + mnemonic +
         " r1, r0\nSTORE_TENSOR y, r1\n";
}

const std::vector<std::int64_t> kSeen = {20};
const std::vector<std::int64_t> kHighest = {30};

TEST(SelfCheck, AgreesWithARightPlan) {
  const Checked checked(elementwise("ELEMENTWISE_NEG"));
  const SelfCheck::Verdict verdict = checked.check(*checked.floor(), kSeen, kHighest);
  EXPECT_EQ(verdict.difference, "");
  EXPECT_EQ(verdict.agreeing, 3);
  EXPECT_EQ(verdict.skipped, 0);
}

TEST(SelfCheck, FindsAPlanOfAnotherProgramAndWritesAReproducer) {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::temp_directory_path() / ("pliant_reproducer_" + std::to_string(getpid()));
  fs::create_directory(folder);
  const Checked right(elementwise("ELEMENTWISE_NEG"), folder.string());
  const Checked wrong(elementwise("ELEMENTWISE_ABS"));
  const SelfCheck::Verdict verdict = right.check(*wrong.floor(), kSeen);
  EXPECT_THAT(verdict.difference, HasSubstr("output 'y': element"));
  const fs::path written = verdict.reproducer;
  EXPECT_EQ(written.parent_path(), folder);
  EXPECT_TRUE(fs::exists(written / "program.pbc"));
  EXPECT_TRUE(fs::exists(written / "input-0.npy"));
  EXPECT_GT(fs::file_size(written / "description.txt"), 100u);
  fs::remove_all(folder);
}

TEST(SelfCheck, AFolderThatIsNotThereIsToldAndHarmsNobody) {
  const Checked right(elementwise("ELEMENTWISE_NEG"), "/nowhere/at/all");
  const Checked wrong(elementwise("ELEMENTWISE_ABS"));
  const SelfCheck::Verdict verdict = right.check(*wrong.floor(), kSeen);
  EXPECT_NE(verdict.difference, "");
  EXPECT_THAT(verdict.reproducer, HasSubstr("/nowhere/at/all"));
}

TEST(SelfCheck, IntegersKeepToTheRangesThatWereSeen) {
  Checked checked(R"(.input ids i64[n]
.const table f32[9, 2] = seeded(1)
.output y
LOAD_TENSOR r0, ids
GATHER r1, table, r0, axis=0
STORE_TENSOR y, r1
)");
  checked.ranges().widen({"ids", 5, 8});
  const SelfCheck::Verdict inside = checked.check(*checked.floor(), kSeen);
  EXPECT_EQ(inside.agreeing, 3);
  // What neither tier accepts says nothing; only the point without elements is left.
  checked.ranges().widen({"ids", 1000, 2000});
  const SelfCheck::Verdict outside = checked.check(*checked.floor(), kSeen);
  EXPECT_EQ(outside.difference, "");
  EXPECT_GE(outside.skipped, 1);
}

TEST(SelfCheck, SkipsPointsThatCostTooMuch) {
  const Checked checked(R"(.input x f32[n, 1000]
.const w f32[1000, 1000] = seeded(1)
.output y
LOAD_TENSOR r0, x
MATMUL r1, r0, w
STORE_TENSOR y, r1
)");
  const std::vector<std::int64_t> large = {100'000};
  const SelfCheck::Verdict verdict = checked.check(*checked.floor(), large);
  EXPECT_EQ(verdict.difference, "");
  EXPECT_EQ(verdict.skipped, 2);
  EXPECT_EQ(verdict.agreeing, 1);
}

TEST(CheckPoints, AreTheLowestTheHighestSeenAndOneBetween) {
  const Checked checked(elementwise("ELEMENTWISE_NEG"));
  EXPECT_THAT(check_points(*checked.floor(), kSeen, kHighest),
              ElementsAre(ElementsAre(0), ElementsAre(30), ElementsAre(15)));
  EXPECT_THAT(check_points(*checked.floor(), {}, {}),
              ElementsAre(ElementsAre(0), ElementsAre(3), ElementsAre(1)));
}

TEST(SegmentSizes, CountsMultiplicationsAndElements) {
  const Checked checked(R"(.input x f32[n, 3]
.const w f32[3, 5] = seeded(1)
.output y
LOAD_TENSOR r0, x
MATMUL r1, r0, w
STORE_TENSOR y, r1
)");
  const plan::Graph& graph = checked.segment().compiled().graph;
  const std::vector<std::int64_t> signature = {4};
  EXPECT_EQ(SegmentSizes(graph, signature).cost(), 2.0 * 4 * 3 * 5 + 16 * (12 + 15 + 20));
}

}  // namespace
}  // namespace pliant::session
