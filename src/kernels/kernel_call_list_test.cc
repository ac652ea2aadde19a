#include "kernels/kernel_call_list.h"

#include <gtest/gtest.h>

#include <utility>

#include "threads/parallel_for.h"

namespace pliant::kernels {
namespace {

/// Sums up to four numbers; those behind `count` are not in use.
struct SumArguments {
  int* target = nullptr;
  std::size_t count = 0;
  const int* numbers[4] = {};

  template <class Visit>
  void each_address(Visit visit) {
    visit(target);
    for (std::size_t i = 0; i < count; ++i) {
      visit(numbers[i]);
    }
  }
  [[nodiscard]] std::size_t used_bytes() const {
    return sizeof *this - (4 - count) * sizeof numbers[0];
  }
};

void sum(const SumArguments& arguments, const KernelContext& context) {
  static_cast<void>(context);
  *arguments.target = 0;
  for (std::size_t i = 0; i < arguments.count; ++i) {
    *arguments.target += *arguments.numbers[i];
  }
}

TEST(KernelCallList, CallsMoveWithTheirTensors) {
  int one = 1;
  int two = 2;
  int ten = 10;
  int first = 0;
  int second = 0;
  KernelCall call;
  call.set(sum, SumArguments{&first, 2, {&one, &two}});
  KernelCallList calls;
  EXPECT_EQ(calls.append(KernelCall{}), 0u);
  EXPECT_EQ(calls.append(call), 1u);
  const std::size_t distance = calls.append_again(1, 2, 1);
  EXPECT_EQ(calls.size(), 3u);
  EXPECT_FALSE(calls.has_work(0));

  std::vector<std::pair<std::size_t, const void*>> addresses;
  calls.each_address(0, [&](std::size_t, const void*) { FAIL() << "it has none"; });
  calls.each_address(1, [&](std::size_t place, const void* address) {
    addresses.push_back({place, address});
  });
  ASSERT_EQ(addresses.size(), 3u);
  EXPECT_EQ(addresses[0].second, &first);
  EXPECT_EQ(addresses[2].second, &two);
  calls.set_address(addresses[0].first + distance, &second);
  calls.set_address(addresses[2].first + distance, &ten);

  SerialFor parallel;
  const KernelContext context{parallel, nullptr, CpuLevel::kPortable};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    calls.run(i, context);
  }
  EXPECT_EQ(first, 3);
  EXPECT_EQ(second, 11);
}

}  // namespace
}  // namespace pliant::kernels
