#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "kernels/kernel_call.h"

namespace pliant::kernels {

/// Bound calls in a row, each with no more bytes than its arguments have. Running one reads two
/// pointers and jumps.
class KernelCallList {
 public:
  /// Appends a call; one without work is kept as such. Returns its position.
  std::size_t append(const KernelCall& call) {
    const std::size_t blocks =
        call.has_work() ? (call.argument_bytes_ + sizeof(Block) - 1) / sizeof(Block) : 0;
    entries_.push_back({call.kind_, call.kernel_, blocks_.size(), blocks, call.loop_count_});
    // Whole blocks: what lies behind the arguments is part of the call's buffer.
    const auto* const begin = reinterpret_cast<const Block*>(call.arguments_);
    blocks_.insert(blocks_.end(), begin, begin + blocks);
    return entries_.size() - 1;
  }
  /// Appends `times` copies of the calls [first, end) of this list, which are its last ones unless
  /// `times` is 1. Returns how far the places of each copy's addresses are behind those of the one
  /// before.
  std::size_t append_again(std::size_t first, std::size_t end, std::size_t times) {
    if (first == end) {
      return 0;
    }
    const std::size_t source = entries_[first].first;
    const std::size_t count = entries_[end - 1].first + entries_[end - 1].blocks - source;
    std::size_t target = blocks_.size();
    const std::size_t distance = target - source;
    blocks_.resize(target + times * count);
    std::size_t next = entries_.size();
    entries_.resize(next + times * (end - first));
    for (std::size_t copy = 0; copy < times; ++copy, target += count) {
      std::copy_n(&blocks_[source], count, &blocks_[target]);
      for (std::size_t i = first; i < end; ++i, ++next) {
        entries_[next] = entries_[i];
        entries_[next].first += target - source;
      }
    }
    return distance * sizeof(Block);
  }
  /// Puts another call in its place, whose arguments are of the same type or that has no work.
  void replace(std::size_t position, const KernelCall& call) {
    Entry& entry = entries_[position];
    entry.kind = call.kind_;
    entry.kernel = call.kernel_;
    entry.loop_count = call.loop_count_;
    if (call.has_work()) {
      std::memcpy(&blocks_[entry.first], call.arguments_, call.argument_bytes_);
    }
  }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] bool has_work(std::size_t position) const {
    return entries_[position].kind != nullptr;
  }
  /// See KernelCall::is_loop(); 0 for a call that is no such loop.
  [[nodiscard]] std::int64_t loop_count(std::size_t position) const {
    return entries_[position].loop_count;
  }
  void run(std::size_t position, const KernelContext& context) const {
    const Entry& entry = entries_[position];
    if (entry.kind != nullptr) {
      entry.kind->run(entry.kernel, &blocks_[entry.first], context);
    }
  }

  /// visit(place, address) for every address of a call's tensors. A place is for set_address().
  template <class Visit>
  void each_address(std::size_t position, Visit visit) {
    const Entry& entry = entries_[position];
    if (entry.kind == nullptr) {
      return;
    }
    entry.kind->each_address(&blocks_[entry.first], [&](const std::byte* field) {
      const void* address = nullptr;
      std::memcpy(&address, field, sizeof address);
      visit(static_cast<std::size_t>(field - first_byte()), address);
    });
  }
  void set_address(std::size_t place, const void* address) {
    std::memcpy(first_byte() + place, &address, sizeof address);
  }

  /// Makes room for as much as another list has.
  void reserve_as(const KernelCallList& other) {
    entries_.reserve(other.entries_.size());
    blocks_.reserve(other.blocks_.size());
  }
  void clear() {
    entries_.clear();
    blocks_.clear();
  }
  [[nodiscard]] std::size_t byte_size() const {
    return entries_.capacity() * sizeof(Entry) + blocks_.capacity() * sizeof(Block);
  }

 private:
  struct alignas(16) Block {
    Block() {}  // NOLINT(modernize-use-equals-default): growing the list writes no zeros
    std::byte bytes[16];
  };
  struct Entry {
    const KernelCall::Kind* kind = nullptr;
    void (*kernel)() = nullptr;
    std::size_t first = 0;   ///< into blocks_
    std::size_t blocks = 0;  ///< of the arguments
    std::int64_t loop_count = 0;
  };

  std::byte* first_byte() { return reinterpret_cast<std::byte*>(blocks_.data()); }

  std::vector<Entry> entries_;
  std::vector<Block> blocks_;
};

}  // namespace pliant::kernels
