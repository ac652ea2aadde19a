#include "session/compile_thread.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

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

#if !defined(__SANITIZE_THREAD__)  // ThreadSanitizer does not support threads after fork
// B108: the parent's thread does not exist in a child, whose sessions compile and end all the same.
TEST(CompileThread, ForkedChildHasAThreadOfItsOwn) {
  CompileThread thread;
  std::promise<void> started;
  std::promise<void> may_end;
  ASSERT_TRUE(thread.submit([&] {
    started.set_value();
    may_end.get_future().wait();
  }));
  started.get_future().wait();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(10);  // instead of hanging
    bool done = false;
    if (thread.pending() != 0 || !thread.submit([&done] { done = true; })) {
      _exit(1);
    }
    thread.finish();
    thread.~CompileThread();
    _exit(done ? 0 : 2);
  }
  may_end.set_value();
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
#endif

}  // namespace
}  // namespace pliant::session
