#include "cache/plan_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "shapes/bucket.h"

namespace pliant::cache {
namespace {

using shapes::Box;
using shapes::Breadth;
using shapes::Interval;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Values = std::vector<std::int64_t>;
using Insertion = PlanCache::Insertion;

/// Stands for a plan: a cache knows nothing of one but what the budget's function says it weighs.
struct Weight {
  std::size_t bytes = 0;
};

std::shared_ptr<const plan::Plan> as_plan(const std::shared_ptr<Weight>& weight) {
  return {weight, reinterpret_cast<const plan::Plan*>(weight.get())};
}

std::shared_ptr<const plan::Plan> plan_of(std::size_t bytes) {
  return as_plan(std::make_shared<Weight>(Weight{bytes}));
}

std::size_t bytes_of(const plan::Plan& plan) {
  return reinterpret_cast<const Weight&>(plan).bytes;
}

std::shared_ptr<PlanBudget> budget_of(std::size_t bytes) {
  return std::make_shared<PlanBudget>(bytes, bytes_of);
}

std::vector<shapes::Entry> one_entry() {
  return {{.name = "seq"}};
}

Box bucket(std::int64_t seq) {
  return shapes::bucketed_box(one_entry(), Values{seq}, 16);
}

/// A cache with a budget that is never reached, and a list of what was evicted.
class PlanCacheTest : public ::testing::Test {
 protected:
  Insertion insert(const Box& box) { return cache_.insert(box, plan_of(10)); }

  std::vector<Box> evicted_;
  PlanCache cache_{one_entry(), 32, budget_of(1'000'000),
                   [this](const CachedPlan& plan) { evicted_.push_back(plan.box()); }};
};

TEST_F(PlanCacheTest, FindsNothingWhereNothingCovers) {
  EXPECT_EQ(cache_.find(Values{5}), nullptr);
  insert(bucket(120));
  EXPECT_EQ(cache_.find(Values{5}), nullptr);
  EXPECT_EQ(cache_.find(Values{120, 120}), nullptr);
  EXPECT_EQ(cache_.statistics().misses, 3);
}

TEST_F(PlanCacheTest, ExactGoesBeforeBucketedBeforeAnySize) {
  cache_.insert_floor(shapes::any_box(one_entry()), plan_of(1));
  EXPECT_EQ(cache_.find(Values{120})->breadth(), Breadth::kAnySize);
  insert(bucket(120));
  EXPECT_EQ(cache_.find(Values{120})->breadth(), Breadth::kBucketed);
  insert(shapes::exact_box(Values{120}));
  EXPECT_EQ(cache_.find(Values{120})->breadth(), Breadth::kExact);
  EXPECT_EQ(cache_.find(Values{121})->breadth(), Breadth::kBucketed);
  EXPECT_EQ(cache_.find(Values{129})->breadth(), Breadth::kAnySize);
  EXPECT_THAT(cache_.statistics().hits, ElementsAre(1, 2, 2));
}

TEST_F(PlanCacheTest, TheNarrowerOneGoesFirstWhateverTheOrder) {
  const Box narrow{{{113, 128}}};
  const Box wide{{{1, 256}}};
  insert(narrow);
  insert(wide);
  EXPECT_EQ(cache_.find(Values{120})->box(), narrow);
  cache_.remove(narrow);
  EXPECT_EQ(cache_.find(Values{120})->box(), wide);
  insert(narrow);
  EXPECT_EQ(cache_.find(Values{120})->box(), narrow);
}

TEST_F(PlanCacheTest, ATierChosenByHandFindsOnlyItsOwn) {
  cache_.insert_floor(shapes::any_box(one_entry()), plan_of(1));
  insert(bucket(120));
  EXPECT_EQ(cache_.find_of(Breadth::kAnySize, Values{120})->breadth(), Breadth::kAnySize);
  EXPECT_EQ(cache_.find_of(Breadth::kBucketed, Values{120})->breadth(), Breadth::kBucketed);
  EXPECT_EQ(cache_.find_of(Breadth::kExact, Values{120}), nullptr);
}

TEST_F(PlanCacheTest, ARepeatedSignatureFindsTheSamePlanUntilABetterOneComes) {
  insert(bucket(120));
  const auto first = cache_.find(Values{120});
  EXPECT_EQ(cache_.find(Values{120}), first);
  insert(shapes::exact_box(Values{120}));
  EXPECT_NE(cache_.find(Values{120}), first);
  EXPECT_TRUE(cache_.remove(shapes::exact_box(Values{120})));
  EXPECT_EQ(cache_.find(Values{120}), first);
}

TEST_F(PlanCacheTest, TheThirtyThirdPlanEvictsTheLeastRecentlyUsed) {
  for (std::int64_t i = 0; i < 32; ++i) {
    insert(bucket(16 * i + 1));
  }
  EXPECT_THAT(evicted_, IsEmpty());
  EXPECT_NE(cache_.find(Values{1}), nullptr);  // the oldest, used now
  insert(bucket(16 * 32 + 1));
  EXPECT_THAT(evicted_, ElementsAre(bucket(17)));
  EXPECT_EQ(cache_.find(Values{17}), nullptr);
  EXPECT_NE(cache_.find(Values{1}), nullptr);
  EXPECT_EQ(cache_.statistics().plans, 32);
  EXPECT_EQ(cache_.statistics().evictions_by_count, 1);
}

// A remembered signature counts as a use, too.
TEST_F(PlanCacheTest, RepeatedSignaturesKeepTheirPlanAlive) {
  insert(bucket(5));
  for (std::int64_t i = 1; i < 200; ++i) {
    ASSERT_NE(cache_.find(Values{5}), nullptr);
    ASSERT_NE(cache_.find(Values{5}), nullptr);
    insert(bucket(16 * i + 1));
  }
  EXPECT_EQ(cache_.statistics().plans, 32);
}

TEST_F(PlanCacheTest, FloorsAreExempt) {
  cache_.insert_floor(shapes::any_box(one_entry()), plan_of(5'000'000));
  for (std::int64_t i = 0; i < 100; ++i) {
    insert(bucket(16 * i + 1));
  }
  EXPECT_NE(cache_.find(Values{1}), nullptr);
  const CacheStatistics statistics = cache_.statistics();
  EXPECT_EQ(statistics.plans, 32);
  EXPECT_EQ(statistics.floor_plans, 1);
  EXPECT_EQ(statistics.plan_bytes, 320);
  EXPECT_EQ(statistics.floor_bytes, 5'000'000);
}

TEST_F(PlanCacheTest, APlanForTheSameBoxReplaces) {
  EXPECT_EQ(insert(bucket(5)), Insertion::kAdded);
  EXPECT_EQ(insert(bucket(6)), Insertion::kReplaced);
  EXPECT_EQ(cache_.statistics().plans, 1);
  EXPECT_EQ(cache_.statistics().replacements, 1);
  EXPECT_THAT(evicted_, IsEmpty());

  cache_.insert_floor(shapes::any_box(one_entry()), plan_of(1));
  EXPECT_EQ(insert(shapes::any_box(one_entry())), Insertion::kReplaced);
  EXPECT_EQ(cache_.statistics().floor_plans, 1);
  EXPECT_EQ(cache_.statistics().plans, 1);
}

TEST_F(PlanCacheTest, APlanInUseSurvivesItsEviction) {
  auto weight = std::make_shared<Weight>(Weight{10});
  const std::weak_ptr<Weight> alive = weight;
  cache_.insert(bucket(5), as_plan(weight));
  auto in_use = cache_.find(Values{5});
  weight.reset();
  for (std::int64_t i = 1; i < 50; ++i) {
    insert(bucket(16 * i + 1));
  }
  EXPECT_EQ(cache_.find(Values{5}), nullptr);
  EXPECT_FALSE(alive.expired());
  EXPECT_EQ(bytes_of(*in_use->plan()), 10);
  in_use.reset();
  EXPECT_TRUE(alive.expired());
}

TEST_F(PlanCacheTest, ListsPlansInTheOrderOfPreference) {
  cache_.insert_floor(shapes::any_box(one_entry()), plan_of(1));
  insert(bucket(40));
  insert(bucket(5));
  insert(shapes::exact_box(Values{7}));
  std::vector<Box> boxes;
  for (const auto& plan : cache_.plans()) {
    boxes.push_back(plan->box());
  }
  EXPECT_THAT(boxes, ElementsAre(shapes::exact_box(Values{7}), bucket(40), bucket(5),
                                 shapes::any_box(one_entry())));
  EXPECT_TRUE(cache_.holds(bucket(40)));
  EXPECT_FALSE(cache_.holds(bucket(100)));
}

// Scenario 18: names alike, sizes alike, another program.
TEST(PlanCache, CachesThatShareABudgetNeverFindEachOthersPlans) {
  const auto budget = budget_of(1000);
  PlanCache one(one_entry(), 32, budget);
  PlanCache other(one_entry(), 32, budget);
  one.insert(bucket(5), plan_of(10));
  EXPECT_NE(one.find(Values{5}), nullptr);
  EXPECT_EQ(other.find(Values{5}), nullptr);
  other.insert(bucket(5), plan_of(20));
  EXPECT_EQ(bytes_of(*one.find(Values{5})->plan()), 10);
  EXPECT_EQ(bytes_of(*other.find(Values{5})->plan()), 20);
}

TEST(PlanCache, ASegmentWithoutEntriesHasOnePlan) {
  PlanCache cache({}, 32, budget_of(1000));
  EXPECT_EQ(cache.find({}), nullptr);
  cache.insert({}, plan_of(1));
  EXPECT_NE(cache.find({}), nullptr);
  EXPECT_EQ(cache.find({})->breadth(), Breadth::kAnySize);
}

TEST(PlanCache, TheBudgetEvictsTheLeastRecentlyUsedOfAllCaches) {
  const auto budget = budget_of(100);
  std::vector<Box> evicted_of_one;
  std::vector<Box> evicted_of_other;
  PlanCache one(one_entry(), 32, budget,
                [&](const CachedPlan& plan) { evicted_of_one.push_back(plan.box()); });
  PlanCache other(one_entry(), 32, budget,
                  [&](const CachedPlan& plan) { evicted_of_other.push_back(plan.box()); });
  one.insert(bucket(1), plan_of(30));
  one.insert(bucket(20), plan_of(30));
  other.insert(bucket(1), plan_of(40));
  EXPECT_EQ(budget->bytes(), 100);
  EXPECT_NE(one.find(Values{1}), nullptr);
  other.insert(bucket(20), plan_of(50));  // too much by 50: bucket 20 of one, then 1 of other
  EXPECT_THAT(evicted_of_one, ElementsAre(bucket(20)));
  EXPECT_THAT(evicted_of_other, ElementsAre(bucket(1)));
  EXPECT_EQ(budget->bytes(), 80);
  EXPECT_EQ(one.statistics().evictions_by_bytes, 1);
}

TEST(PlanCache, APlanLargerThanTheBudgetIsRefusedAndEvictsNothing) {
  PlanCache cache(one_entry(), 32, budget_of(100));
  cache.insert(bucket(1), plan_of(100));
  EXPECT_EQ(cache.insert(bucket(20), plan_of(101)), Insertion::kTooLarge);
  EXPECT_NE(cache.find(Values{1}), nullptr);
  EXPECT_EQ(cache.find(Values{20}), nullptr);
  EXPECT_EQ(cache.statistics().refused_as_too_large, 1);
}

TEST(PlanCache, PlansThatGrowAreEvictedWhenTheBudgetIsEnforced) {
  const auto budget = budget_of(100);
  PlanCache cache(one_entry(), 32, budget);
  const auto weight = std::make_shared<Weight>(Weight{10});
  cache.insert(bucket(1), plan_of(50));
  cache.insert(bucket(20), as_plan(weight));
  EXPECT_EQ(budget->enforce(), 0);
  weight->bytes = 60;
  EXPECT_EQ(budget->enforce(), 1);
  EXPECT_EQ(cache.find(Values{1}), nullptr);
  EXPECT_NE(cache.find(Values{20}), nullptr);
}

TEST(PlanCache, ACacheThatIsGoneNoLongerCounts) {
  const auto budget = budget_of(100);
  {
    PlanCache cache(one_entry(), 32, budget);
    cache.insert(bucket(1), plan_of(50));
    EXPECT_EQ(budget->bytes(), 50);
  }
  EXPECT_EQ(budget->bytes(), 0);
  EXPECT_EQ(budget->enforce(), 0);
}

// Each lookup must find a plan that covers it, whatever is inserted and evicted meanwhile.
TEST(PlanCache, RunsOnManyThreadsFindWhatCoversThem) {
  const auto budget = budget_of(150);
  PlanCache cache(one_entry(), 8, budget);
  PlanCache neighbour(one_entry(), 8, budget);
  cache.insert_floor(shapes::any_box(one_entry()), plan_of(1));
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (std::int64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::int64_t i = 0; i < 5000; ++i) {
        const Values signature = {(i * (t + 1)) % 400};
        const auto found = cache.find(signature);
        wrong += found == nullptr || !found->box().contains(signature) ? 1 : 0;
      }
    });
  }
  for (std::int64_t i = 0; i < 1000; ++i) {
    (i % 3 == 0 ? neighbour : cache).insert(bucket(i * 7 % 400), plan_of(10));
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(budget->bytes(), 150);
  EXPECT_LE(cache.statistics().plans, 8);
  const auto hits = cache.statistics().hits;
  EXPECT_EQ(hits[0] + hits[1] + hits[2], 20'000);
}

}  // namespace
}  // namespace pliant::cache
