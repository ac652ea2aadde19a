#include "session/compile_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>

namespace pliant::session {
namespace {

TEST(CompileThread, WorksOffTasksInOrder) {
  CompileThread thread;
  std::vector<int> order;
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(thread.submit([&order, i] { order.push_back(i); }));
  }
  thread.finish();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(thread.pending(), 0u);
}

// B020: one compile that goes wrong ends nothing but itself.
TEST(CompileThread, GoesOnAfterATaskThatThrows) {
  CompileThread thread;
  std::atomic<int> done{0};
  ASSERT_TRUE(thread.submit([] { throw std::runtime_error("broken"); }));
  ASSERT_TRUE(thread.submit([&] { ++done; }));
  thread.finish();
  EXPECT_EQ(done, 1);
}

// B021: a task may ask for others; none waits for another.
TEST(CompileThread, TasksMaySubmitTasks) {
  CompileThread thread;
  std::atomic<int> done{0};
  for (int i = 0; i < 16; ++i) {
    ASSERT_TRUE(thread.submit([&] { EXPECT_TRUE(thread.submit([&] { ++done; })); }));
  }
  thread.finish();
  EXPECT_EQ(done, 16);
}

TEST(CompileThread, EndsWithTheTaskThatRunsAndDropsOthers) {
  std::atomic<int> done{0};
  std::promise<void> started;
  std::promise<void> go_on;
  std::future<void> may_go_on = go_on.get_future();
  {
    CompileThread thread;
    ASSERT_TRUE(thread.submit([&] {
      started.set_value();
      may_go_on.wait();
      ++done;
    }));
    ASSERT_TRUE(thread.submit([&] { done += 100; }));
    started.get_future().wait();
    go_on.set_value();
  }
  EXPECT_TRUE(done == 1 || done == 101);
}

TEST(CompileThread, WithoutTasksThereIsNothingToEnd) {
  CompileThread thread;
  thread.finish();
}

}  // namespace
}  // namespace pliant::session
