#include "plan/run_buffers.h"

#include <algorithm>

#include "tensor/dtype.h"

namespace pliant::plan {
namespace {

bool lies_as(const TensorView& a, const TensorView& b) {
  return a.shape == b.shape && a.strides == b.strides;
}

}  // namespace

RunBuffers::RunBuffers(const Plan& plan, BoundRun& run) : plan_(plan), run_(run) {
  run_.buffers.clear();
  run_.blocks.clear();
}

void RunBuffers::add_live_in(const TensorView& view) {
  fits_ = fits_ && bytes_of(view) <= kMostBytes;
  run_.buffers.push_back({Buffer::Kind::kLiveIn, static_cast<int>(run_.buffers.size()), 0});
}

int RunBuffers::add_scratch(std::size_t bytes) {
  if (bytes == 0) {
    return -1;
  }
  add_block(bytes);
  return static_cast<int>(run_.blocks.size()) - 1;
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

void RunBuffers::repeat(const Count& first, const Count& second, int period, int times) {
  const std::size_t blocks = run_.blocks.size() - second.blocks;
  const std::size_t buffers = run_.buffers.size() - second.buffers;
  PLIANT_CHECK_EQ(blocks, second.blocks - first.blocks);
  PLIANT_CHECK_EQ(buffers, second.buffers - first.buffers);
  run_.blocks.reserve(run_.blocks.size() + static_cast<std::size_t>(times) * blocks);
  run_.buffers.reserve(run_.buffers.size() + static_cast<std::size_t>(times) * buffers);
  // What the last period makes has been read by nothing but itself; all else as the first period's.
  std::vector<int> last_steps;
  for (std::size_t i = second.blocks; i < second.blocks + blocks; ++i) {
    last_steps.push_back(run_.blocks[i].last_step);
    run_.blocks[i].last_step = run_.blocks[i - blocks].last_step + period;
  }
  for (std::size_t left = static_cast<std::size_t>(times) * blocks; left > 0; --left) {
    Block block = run_.blocks[run_.blocks.size() - blocks];
    block.first_step += period;
    block.last_step += period;
    run_.blocks.push_back(block);
  }
  for (std::size_t i = 0; i < blocks; ++i) {
    run_.blocks[run_.blocks.size() - blocks + i].last_step = last_steps[i] + times * period;
  }
  for (std::size_t left = static_cast<std::size_t>(times) * buffers; left > 0; --left) {
    Buffer buffer = run_.buffers[run_.buffers.size() - buffers];
    buffer.index += static_cast<int>(blocks);
    run_.buffers.push_back(buffer);
  }
  fits_ = fits_ && run_.buffers.size() <= kMostPlaceBuffers;
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
