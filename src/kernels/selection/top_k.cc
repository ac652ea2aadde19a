#include "kernels/selection/top_k.h"

#include <algorithm>

#include "kernels/movement/element_word.h"
#include "kernels/movement/index_walk.h"
#include "kernels/selection/sort_key.h"
#include "tensor/dtype.h"

namespace pliant::kernels {
namespace {

/// Elements that one task should look at.
constexpr std::int64_t kGrain = 8 << 10;

/// Elements of a row after which it asks whether to go on, and how many are sorted without asking.
constexpr std::int64_t kElementsPerQuestion = 64 << 10;

struct Candidate {
  std::uint64_t key;  ///< smaller comes first
  std::int64_t index;
};

bool comes_first(const Candidate& a, const Candidate& b) {
  return a.key < b.key || (a.key == b.key && a.index < b.index);
}

/// A heap of the best k pays when few elements get past its worst.
bool uses_heap(std::int64_t extent, std::int64_t k) {
  return k <= extent / 8;
}

using ReadKeys = void (*)(const void* row, std::int64_t stride, std::int64_t first,
                          std::int64_t count, std::uint64_t flip, std::uint64_t* keys);

template <class T>
void read_keys(const void* row, std::int64_t stride, std::int64_t first, std::int64_t count,
               std::uint64_t flip, std::uint64_t* keys) {
  const T* values = static_cast<const T*>(row) + first * stride;
  for (std::int64_t i = 0; i < count; ++i) {
    keys[i] = sort_key(values[i * stride]) ^ flip;
  }
}

struct Row {
  const void* data;
  std::int64_t stride;
  std::int64_t extent;
  std::uint64_t flip;  ///< all ones for the largest first
  ReadKeys read;
};

/// Calls `visit` with all candidates of a row, unless it is stopped.
template <class Visit>
void for_each_candidate(const Row& row, const ParallelFor& parallel, Visit visit) {
  constexpr std::int64_t kBlock = 256;
  std::uint64_t keys[kBlock];
  for (std::int64_t first = 0; first < row.extent; first += kBlock) {
    if (first % kElementsPerQuestion == 0 && parallel.is_stopped()) {
      return;
    }
    const std::int64_t count = std::min(kBlock, row.extent - first);
    row.read(row.data, row.stride, first, count, row.flip, keys);
    for (std::int64_t i = 0; i < count; ++i) {
      visit(Candidate{keys[i], first + i});
    }
  }
}

/// Puts candidates in order as far as `wanted`, which lies behind `first`. Long stretches are split as
/// by quicksort, to ask in between, at most `splits` times in a row: only elements made for it need as
/// many, and then nothing is asked any more.
void sort_until(Candidate* first, Candidate* last, Candidate* wanted, int splits,
                const ParallelFor& parallel) {
  for (; last - first > kElementsPerQuestion && splits > 0; --splits) {
    if (parallel.is_stopped()) {
      return;
    }
    const std::int64_t quarter = (last - first) / 4;
    Candidate samples[] = {first[quarter], first[2 * quarter], first[3 * quarter]};
    std::sort(std::begin(samples), std::end(samples), comes_first);
    // All candidates differ, so one of the samples lies on either side.
    Candidate* const middle = std::partition(
        first, last, [&](const Candidate& each) { return comes_first(each, samples[1]); });
    if (wanted <= middle) {
      last = middle;
    } else if (middle - first < last - middle) {
      sort_until(first, middle, middle, splits - 1, parallel);
      first = middle;
    } else {
      sort_until(middle, last, wanted, splits - 1, parallel);
      last = middle;
      wanted = middle;
    }
  }
  if (wanted < last) {
    std::nth_element(first, wanted, last, comes_first);
  }
  std::sort(first, wanted, comes_first);
}

/// Puts the k first candidates into `best`, in order.
void select(const Row& row, std::int64_t k, Candidate* best, const ParallelFor& parallel) {
  std::int64_t held = 0;
  if (!uses_heap(row.extent, k)) {
    constexpr int kSplits = 64;
    for_each_candidate(row, parallel,
                       [&](const Candidate& candidate) { best[held++] = candidate; });
    sort_until(best, best + held, best + std::min(held, k), kSplits, parallel);
    return;
  }
  for_each_candidate(row, parallel, [&](const Candidate& candidate) {
    if (held < k) {
      best[held++] = candidate;
      std::push_heap(best, best + held, comes_first);
    } else if (candidate.key < best[0].key) {  // equal keys: the earlier index stays
      std::pop_heap(best, best + k, comes_first);
      best[k - 1] = candidate;
      std::push_heap(best, best + k, comes_first);
    }
  });
  std::sort_heap(best, best + held, comes_first);
}

template <class Word>
void copy_values(const void* x, std::int64_t x_stride, const Candidate* best, std::int64_t k,
                 void* target, std::int64_t target_stride) {
  for (std::int64_t i = 0; i < k; ++i) {
    static_cast<Word*>(target)[i * target_stride] =
        static_cast<const Word*>(x)[best[i].index * x_stride];
  }
}

}  // namespace

std::size_t top_k_scratch_bytes(std::int64_t extent, std::int64_t k) {
  return static_cast<std::size_t>(uses_heap(extent, k) ? k : extent) * sizeof(Candidate);
}

void top_k(const TopKArguments& arguments, const KernelContext& context) {
  const auto size = static_cast<std::int64_t>(byte_size(arguments.dtype));
  const std::size_t worker_bytes = top_k_scratch_bytes(arguments.extent, arguments.k);
  Row shared{nullptr, arguments.x_stride, arguments.extent,
             arguments.order == TopKOrder::kLargest ? ~std::uint64_t{0} : 0, nullptr};
  shared.read =
      visit_dtype(arguments.dtype, [](auto zero) -> ReadKeys { return read_keys<decltype(zero)>; });
  const auto copy = visit_word(size, [](auto zero) { return &copy_values<decltype(zero)>; });
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / arguments.extent);
  context.parallel.run(
      element_count(arguments.rows), grain, [&](std::int64_t begin, std::int64_t end, int worker) {
        auto* best = reinterpret_cast<Candidate*>(context.scratch +
                                                  static_cast<std::size_t>(worker) * worker_bytes);
        IndexWalk<2> walk(arguments.rows, {arguments.x_strides, arguments.target_strides}, begin);
        for (std::int64_t i = begin; i < end; ++i) {
          Row row = shared;
          row.data = static_cast<const std::byte*>(arguments.x) + walk.offset(0) * size;
          select(row, arguments.k, best, context.parallel);
          if (context.parallel.is_stopped()) {
            return;  // the indices may be anything
          }
          if (arguments.values != nullptr) {
            copy(row.data, row.stride, best, arguments.k,
                 static_cast<std::byte*>(arguments.values) + walk.offset(1) * size,
                 arguments.target_stride);
          }
          if (arguments.indices != nullptr) {
            for (std::int64_t j = 0; j < arguments.k; ++j) {
              arguments.indices[walk.offset(1) + j * arguments.target_stride] = best[j].index;
            }
          }
          walk.next();
        }
      });
}

}  // namespace pliant::kernels
