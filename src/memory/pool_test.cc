#include "memory/pool.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include "memory/size_class.h"
#include "memory/system_memory.h"

namespace pliant::memory {
namespace {

std::shared_ptr<Storage> allocate(Pool& pool, DType dtype, std::int64_t count) {
  auto storage = pool.allocate(dtype, count);
  EXPECT_TRUE(storage.has_value());
  return std::move(storage).value();
}

TEST(SizeClass, WastesLessThanAQuarter) {
  for (std::int64_t count = 1; count < 5000; ++count) {
    const std::int64_t rounded = class_element_count(count);
    EXPECT_GE(rounded, count);
    EXPECT_LE(rounded, std::max<std::int64_t>(16, count + count / 4));
    EXPECT_EQ(class_element_count(rounded), rounded);
  }
  EXPECT_GE(class_element_count((std::int64_t{1} << 59) + 1), (std::int64_t{1} << 59) + 1);
}

TEST(Pool, MemoryIsAlignedAndWritable) {
  Pool pool({});
  for (const std::int64_t count : {0, 1, 15, 16, 17, 1000, 3'000'000}) {
    const auto storage = allocate(pool, DType::kF64, count);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(storage->data()) % 64, 0u);
    EXPECT_EQ(storage->byte_size(), static_cast<std::size_t>(count) * 8);
    EXPECT_FALSE(storage->is_constant());
    std::memset(storage->data(), 1, storage->byte_size());
  }
}

TEST(Pool, ReusesBlocksOfTheClassAndAsksTheSystemForNothing) {
  Pool pool({});
  void* first = allocate(pool, DType::kF32, 1000)->data();
  const auto before = pool.statistics();
  EXPECT_EQ(before.live_bytes, 0u);
  EXPECT_EQ(allocate(pool, DType::kF32, 990)->data(), first);
  EXPECT_NE(allocate(pool, DType::kI32, 1000)->data(), first) << "another type is another bucket";
  for (int run = 0; run < 100; ++run) {
    const auto a = allocate(pool, DType::kF32, 1000);
    const auto b = allocate(pool, DType::kI32, 1000);
  }
  EXPECT_EQ(pool.statistics().system_allocations, 2u);
}

TEST(Pool, LargeFreeBlocksServeSmallerTensors) {
  constexpr std::int64_t kLarge = std::int64_t{12} << 20;
  Pool pool({.max_bytes = std::size_t{64} << 20});
  void* const block = allocate(pool, DType::kU8, kLarge)->data();
  {
    const auto smaller = allocate(pool, DType::kU8, kLarge / 2 + 1);
    EXPECT_EQ(smaller->data(), block);
    EXPECT_EQ(pool.statistics().live_bytes, static_cast<std::size_t>(kLarge)) << "counted as it is";
    std::memset(smaller->data(), 1, smaller->byte_size());
  }
  EXPECT_EQ(pool.statistics().live_bytes, 0u);
  EXPECT_EQ(allocate(pool, DType::kU8, kLarge)->data(), block) << "it is as large as before";
  EXPECT_NE(allocate(pool, DType::kU8, kLarge / 4)->data(), block) << "that would waste too much";
  EXPECT_NE(allocate(pool, DType::kI8, kLarge)->data(), block) << "another type";
  const auto most = allocate(pool, DType::kU16, std::int64_t{13} << 20);
  EXPECT_NE(allocate(pool, DType::kU8, kLarge - 4 * kLarge / 10)->data(), block)
      << "nothing is wasted when half of the limit is in use";
}

TEST(Pool, LimitStopsOneAllocationAndOthersGoOn) {
  Pool pool({.max_bytes = 1 << 20});
  const auto half = allocate(pool, DType::kU8, 1 << 19);
  const auto refused = pool.allocate(DType::kU8, (1 << 19) + 1);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
  EXPECT_NE(refused.error().message.find("524289 bytes"), std::string::npos)
      << refused.error().message;
  EXPECT_EQ(pool.statistics().live_bytes, std::size_t{1} << 19);
  EXPECT_TRUE(pool.allocate(DType::kU8, 1 << 18).has_value());
}

TEST(Pool, ImpossibleSizesAreErrors) {
  Pool pool({});
  for (const std::int64_t count :
       {std::int64_t{-1}, INT64_MAX, std::int64_t{1} << 61, std::int64_t{1} << 59}) {
    const auto storage = pool.allocate(DType::kF64, count);
    ASSERT_FALSE(storage.has_value()) << count;
    EXPECT_EQ(storage.error().code, ErrorCode::kResourceExhausted);
  }
  EXPECT_EQ(pool.statistics().live_bytes, 0u);
}

TEST(Pool, TrimReleasesFreeBlocksOnly) {
  Pool pool({});
  const auto kept = allocate(pool, DType::kF32, 1024);
  allocate(pool, DType::kF32, 1 << 20);
  EXPECT_EQ(pool.statistics().reserved_bytes, 4096u + (4u << 20));
  EXPECT_EQ(pool.trim(), 4u << 20);
  EXPECT_EQ(pool.statistics().reserved_bytes, 4096u);
  EXPECT_EQ(pool.trim(), 0u);
}

TEST(Pool, StorageOutlivesThePool) {
  std::shared_ptr<Storage> storage;
  {
    Pool pool({});
    storage = allocate(pool, DType::kI64, 10);
  }
  std::memset(storage->data(), 0, storage->byte_size());
}

TEST(Pool, ManyThreadsKeepCountsRight) {
  Pool pool({});
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&pool, seed] {
      std::mt19937 random(seed);
      std::vector<std::shared_ptr<Storage>> held;
      for (int i = 0; i < 2000; ++i) {
        auto storage = allocate(pool, DType::kU8, static_cast<std::int64_t>(random() % 4096));
        std::memset(storage->data(), static_cast<int>(seed), storage->byte_size());
        held.push_back(std::move(storage));
        if (held.size() > 10) {
          held.erase(held.begin() + static_cast<std::ptrdiff_t>(random() % held.size()));
        }
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(pool.statistics().live_bytes, 0u);
  const std::size_t reserved = pool.statistics().reserved_bytes;
  EXPECT_EQ(pool.trim(), reserved);
  EXPECT_EQ(pool.statistics().reserved_bytes, 0u);
}

TEST(SystemMemory, ContainerLimitCountsWhenItIsLower) {
  char name[] = "/tmp/pliant-memory-XXXXXX";
  ASSERT_NE(mkdtemp(name), nullptr);
  const std::string root = name;
  const std::size_t machine = system_memory_bytes(root);
  std::filesystem::create_directories(root + "/sys/fs/cgroup");
  std::ofstream(root + "/sys/fs/cgroup/memory.max") << "max\n";
  EXPECT_EQ(system_memory_bytes(root), machine);
  std::ofstream(root + "/sys/fs/cgroup/memory.max") << "1048576\n";
  EXPECT_EQ(system_memory_bytes(root), 1048576u);
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace pliant::memory
