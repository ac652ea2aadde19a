#include "threads/thread_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "threads/cpu_limits.h"
#include "threads/stop_check.h"

namespace pliant::threads {
namespace {

TEST(ThreadPool, VisitsEveryIndexOnce) {
  for (const int threads : {1, 2, 5}) {
    const auto parallel = parallel_for_on_pool(threads);
    for (const std::int64_t count : {0, 1, 2, 7, 64, 1000}) {
      for (const std::int64_t grain : {1, 3, 2000}) {
        std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
        parallel->run(count, grain, [&](std::int64_t begin, std::int64_t end, int worker) {
          EXPECT_GE(worker, 0);
          EXPECT_LT(worker, threads);
          for (std::int64_t i = begin; i < end; ++i) {
            ++visits[static_cast<std::size_t>(i)];
          }
        });
        for (const auto& visit : visits) {
          EXPECT_EQ(visit, 1);
        }
      }
    }
  }
}

TEST(ThreadPool, WorkersOfOneLoopAreDistinctAtOneTime) {
  const auto parallel = parallel_for_on_pool(4);
  std::array<std::atomic<int>, 4> inside{};
  for (int round = 0; round < 200; ++round) {
    parallel->run(64, 1, [&](std::int64_t, std::int64_t, int worker) {
      EXPECT_EQ(++inside[static_cast<std::size_t>(worker)], 1);
      --inside[static_cast<std::size_t>(worker)];
    });
  }
}

TEST(ThreadPool, NestedLoopRunsInItsThreadWithItsWorker) {
  const auto parallel = parallel_for_on_pool(3);
  std::atomic<int> total{0};
  parallel->run(8, 1, [&](std::int64_t begin, std::int64_t end, int outer) {
    const auto id = std::this_thread::get_id();
    for (std::int64_t i = begin; i < end; ++i) {
      parallel->run(10, 1, [&](std::int64_t first, std::int64_t last, int inner) {
        EXPECT_EQ(std::this_thread::get_id(), id);
        EXPECT_EQ(inner, outer);
        total += static_cast<int>(last - first);
      });
    }
  });
  EXPECT_EQ(total, 80);
}

TEST(ThreadPool, ManyCallersShareIt) {
  std::atomic<std::int64_t> sum{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 6; ++caller) {
    callers.emplace_back([&] {
      const auto parallel = parallel_for_on_pool(3);
      for (int round = 0; round < 300; ++round) {
        parallel->run(20, 1, [&](std::int64_t begin, std::int64_t end, int) {
          for (std::int64_t i = begin; i < end; ++i) {
            sum += i;
          }
        });
      }
    });
  }
  for (auto& caller : callers) {
    caller.join();
  }
  EXPECT_EQ(sum, 6 * 300 * 190);
}

TEST(StoppedLoop, EndsInItsMiddleWhileOthersGoOn) {
  for (const int threads : {1, 2, 5}) {
    const std::function<bool()> yes = [] { return true; };
    StopCheck stop(yes);
    const auto stoppable = parallel_for_on_pool(threads, &stop);
    std::atomic<std::int64_t> sum{0};
    std::thread other([&] {
      parallel_for_on_pool(threads)->run(
          1000, 1, [&](std::int64_t begin, std::int64_t end, int) { sum += end - begin; });
    });
    // Without an end: only stopping ends it. Nested loops end, too.
    stoppable->run(INT64_MAX / 4, 1, [&](std::int64_t begin, std::int64_t end, int worker) {
      EXPECT_LT(worker, threads);
      for (std::int64_t i = begin; i < end && !stoppable->is_stopped(); ++i) {
        stoppable->run(3, 1, [](std::int64_t, std::int64_t, int) {});
      }
    });
    EXPECT_TRUE(stoppable->is_stopped());
    stoppable->run(8, 1,
                   [](std::int64_t, std::int64_t, int) { ADD_FAILURE() << "after the stop"; });
    other.join();
    EXPECT_EQ(sum, 1000);
  }
}

TEST(StoppedLoop, VisitsEveryIndexOnceIfNobodyStopsIt) {
  for (const int threads : {1, 2, 5}) {
    int questions = 0;
    const std::function<bool()> no = [&] {
      ++questions;
      return false;
    };
    StopCheck stop(no);
    const auto parallel = parallel_for_on_pool(threads, &stop);
    for (const std::int64_t count : {0, 1, 2, 7, 64, 1000}) {
      for (const std::int64_t grain : {1, 3, 2000}) {
        std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
        parallel->run(count, grain, [&](std::int64_t begin, std::int64_t end, int worker) {
          EXPECT_LT(worker, threads);
          for (std::int64_t i = begin; i < end; ++i) {
            ++visits[static_cast<std::size_t>(i)];
          }
        });
        for (const auto& visit : visits) {
          EXPECT_EQ(visit, 1);
        }
      }
    }
    // The caller goes on asking while it waits for the last piece of another thread.
    while (questions < 2) {
      parallel->run(threads, 1, [&](std::int64_t, std::int64_t, int) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      });
    }
  }
}

/// Of each worker, what the system says: sleeping or running, and how often it went to sleep.
std::vector<std::string> worker_states() {
  std::vector<std::string> states;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream status(thread.path() / "status");
    std::string line, name, state;
    while (std::getline(status, line)) {
      if (line.starts_with("Name:")) {
        name = line;
      } else if (line.starts_with("State:") || line.starts_with("voluntary_ctxt_switches:")) {
        state += line + '\n';
      }
    }
    if (name.ends_with("pliant-worker")) {
      states.push_back(state);
    }
  }
  return states;
}

TEST(ThreadPool, IdleWorkersSleepUntilTheyAreWoken) {
  const auto parallel = parallel_for_on_pool(4);
  parallel->run(64, 1, [](std::int64_t, std::int64_t, int) {});
  // They look for work a little longer, so ask until nothing has happened between two looks.
  std::vector<std::string> earlier;
  std::vector<std::string> now = worker_states();
  for (int look = 0; look < 100 && (now.size() < 3 || now != earlier); ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    earlier = std::exchange(now, worker_states());
  }
  EXPECT_EQ(now, earlier);
  EXPECT_GE(now.size(), 3U);
  EXPECT_THAT(now, ::testing::Each(::testing::HasSubstr("(sleeping)")));
}

#if !defined(__SANITIZE_THREAD__)  // ThreadSanitizer does not support threads after fork
TEST(ThreadPool, ForkedChildHasWorkersOfItsOwn) {
  const auto parallel = parallel_for_on_pool(3);
  parallel->run(64, 1, [](std::int64_t, std::int64_t, int) {});
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::atomic<int> sum{0};
    parallel->run(64, 1, [&](std::int64_t begin, std::int64_t end, int) {
      sum += static_cast<int>(end - begin);
    });
    _exit(sum == 64 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
#endif

class CpuLimits : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/pliant-limits-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    root_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text << "\n";
  }
  std::string root_;
};

TEST_F(CpuLimits, SiblingThreadsAreOneCore) {
  write("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,2");
  write("/sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1,3");
  write("/sys/devices/system/cpu/cpu2/topology/thread_siblings_list", "0,2");
  EXPECT_EQ(physical_core_count({0, 1, 2}, root_), 2);
  EXPECT_EQ(physical_core_count({0, 2}, root_), 1);
  EXPECT_EQ(physical_core_count({7, 8}, root_), 2);
}

TEST_F(CpuLimits, TakesTheTightestQuotaOfVersion2) {
  write("/proc/self/cgroup", "0::/service/worker");
  write("/sys/fs/cgroup/service/worker/cpu.max", "max 100000");
  write("/sys/fs/cgroup/service/cpu.max", "150000 100000");
  EXPECT_THAT(cpu_quota(root_), ::testing::Optional(1.5));
}

TEST_F(CpuLimits, ReadsVersion1AndIgnoresNoLimit) {
  write("/proc/self/cgroup", "4:cpu,cpuacct:/box\n2:memory:/box");
  write("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "-1");
  write("/sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cpu_quota(root_), std::nullopt);
  write("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "50000");
  EXPECT_THAT(cpu_quota(root_), ::testing::Optional(0.5));
}

TEST_F(CpuLimits, ContainerSeesItsOwnGroupAtTheMountPoint) {
  write("/proc/self/cgroup", "0::/docker/abc");
  write("/sys/fs/cgroup/cpu.max", "200000 100000");
  EXPECT_THAT(cpu_quota(root_), ::testing::Optional(2.0));
}

TEST(DefaultThreadCount, FollowsTheEnvironmentIfItIsANumber) {
  setenv("PLIANT_THREADS", "3", 1);
  EXPECT_EQ(default_thread_count(), 3);
  for (const char* wrong : {"0", "-1", "many", "3x", "", "1000"}) {
    setenv("PLIANT_THREADS", wrong, 1);
    EXPECT_LE(default_thread_count(), static_cast<int>(allowed_cpus().size())) << wrong;
    EXPECT_GE(default_thread_count(), 1) << wrong;
  }
  unsetenv("PLIANT_THREADS");
}

}  // namespace
}  // namespace pliant::threads
