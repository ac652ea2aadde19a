#include "plan/run_buffers.h"

#include <algorithm>

#include "tensor/dtype.h"

namespace pliant::plan {
namespace {

/// No machine has more; sums of so much cannot overflow, and places reach as far.
constexpr std::size_t kMostBytes = kPlaceReach - 1;

bool lies_as(const TensorView& a, const TensorView& b) {
  return a.shape == b.shape && a.strides == b.strides;
}

}  // namespace

RunBuffers::RunBuffers(const Plan& plan, BoundRun& run) : plan_(plan), run_(run) {
  run_.buffers.clear();
  run_.blocks.clear();
}

void RunBuffers::enter(int step) {
  if (step <= together_last_) {
    return;
  }
  together_first_ = step;
  together_last_ = step;
  while (together_last_ < static_cast<int>(plan_.steps.size()) &&
         plan_.steps[static_cast<std::size_t>(together_last_)].rows_with_next > 0) {
    ++together_last_;
  }
}

void RunBuffers::add_live_in(const TensorView& view) {
  fits_ = fits_ && bytes_of(view) <= kMostBytes;
  run_.buffers.push_back({Buffer::Kind::kLiveIn, static_cast<int>(run_.buffers.size()), 0});
}

int RunBuffers::add(std::size_t bytes) {
  add_block(bytes);
  fits_ = fits_ && run_.buffers.size() < kMostPlaceBuffers;
  run_.buffers.push_back({Buffer::Kind::kArena, static_cast<int>(run_.blocks.size()) - 1, bytes});
  return static_cast<int>(run_.buffers.size()) - 1;
}

int RunBuffers::add_scratch(std::size_t bytes) {
  if (bytes == 0) {
    return -1;
  }
  add_block(bytes);
  return static_cast<int>(run_.blocks.size()) - 1;
}

void RunBuffers::add_block(std::size_t bytes) {
  fits_ = fits_ && bytes <= kMostBytes;
  run_.blocks.push_back({bytes, together_first_, together_last_, 0});
}

void RunBuffers::touch(const TensorView& view) {
  if (const std::optional<Place> place = place_at(view.data)) {
    touch(place->buffer);
  }
}

void RunBuffers::touch(int buffer) {
  if (at(buffer).kind == Buffer::Kind::kArena) {
    run_.blocks[static_cast<std::size_t>(at(buffer).index)].last_step = together_last_;
  }
}

std::optional<int> RunBuffers::dying(const TensorView& result, std::span<const StepInput> lenders,
                                     std::span<const TensorView> inputs) const {
  for (std::size_t i = 0; i < lenders.size(); ++i) {
    const TensorView& input = inputs[i];
    const std::optional<Place> place = place_at(input.data);
    if (!lenders[i].dies || !place || place->offset != 0) {
      continue;
    }
    const Buffer& buffer = at(place->buffer);
    const bool fits = buffer.kind == Buffer::Kind::kArena && buffer.bytes == bytes_of(result) &&
                      byte_size(input.dtype) == byte_size(result.dtype) && lies_as(input, result);
    // Another operand may look at the same memory in another order.
    const auto in_the_way = [&](const TensorView& other) {
      const std::optional<Place> where = place_at(other.data);
      return where && where->buffer == place->buffer &&
             (where->offset != 0 || !lies_as(other, result));
    };
    if (fits && std::none_of(inputs.begin(), inputs.end(), in_the_way)) {
      return place->buffer;
    }
  }
  return std::nullopt;
}

void RunBuffers::hand_out(int buffer, int live_out) {
  run_.blocks[static_cast<std::size_t>(at(buffer).index)].bytes = 0;
  at(buffer).kind = Buffer::Kind::kLiveOut;
  at(buffer).index = live_out;
}

std::size_t RunBuffers::bytes_of(const TensorView& view) {
  const auto count = static_cast<std::size_t>(view.element_count());
  const std::size_t size = byte_size(view.dtype);
  return count > kMostBytes / size ? kMostBytes + 1 : count * size;
}

}  // namespace pliant::plan
