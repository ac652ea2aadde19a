#pragma once

#include <cstddef>
#include <vector>

#include "kernels/kernel_call.h"

namespace pliant::kernels {

/// Bound calls in a row, each with no more bytes than its arguments have. Running one reads two
/// pointers and jumps.
class KernelCallList {
 public:
  /// Appends a call; one without work is kept as such. Returns its position.
  std::size_t append(const KernelCall& call) {
    const std::size_t offset = blocks_.size();
    // Whole blocks: what lies behind the arguments is part of the call's buffer.
    const auto* const begin = reinterpret_cast<const Block*>(call.arguments_);
    blocks_.insert(blocks_.end(), begin, begin + (call.argument_bytes_ + 15) / 16);
    entries_.push_back({call.invoke_, call.kernel_, offset, call.loop_count_});
    return entries_.size() - 1;
  }
  /// Puts another call in its place, whose arguments are of the same type or that has no work.
  void replace(std::size_t position, const KernelCall& call) {
    Entry& entry = entries_[position];
    entry.invoke = call.invoke_;
    entry.kernel = call.kernel_;
    entry.loop_count = call.loop_count_;
    write(entry, call);
  }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] bool has_work(std::size_t position) const {
    return entries_[position].invoke != nullptr;
  }
  /// See KernelCall::is_loop(); 0 for a call that is no such loop.
  [[nodiscard]] std::int64_t loop_count(std::size_t position) const {
    return entries_[position].loop_count;
  }
  void run(std::size_t position, const KernelContext& context) const {
    const Entry& entry = entries_[position];
    if (entry.invoke != nullptr) {
      entry.invoke(entry.kernel, &blocks_[entry.offset], context);
    }
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
    std::byte bytes[16];
  };
  struct Entry {
    KernelCall::Invoke invoke = nullptr;
    void (*kernel)() = nullptr;
    std::size_t offset = 0;
    std::int64_t loop_count = 0;
  };

  void write(const Entry& entry, const KernelCall& call) {
    if (call.invoke_ != nullptr && call.argument_bytes_ > 0) {
      std::memcpy(&blocks_[entry.offset], call.arguments_, call.argument_bytes_);
    }
  }

  std::vector<Entry> entries_;
  std::vector<Block> blocks_;
};

}  // namespace pliant::kernels
