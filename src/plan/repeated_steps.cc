#include "plan/repeated_steps.h"

#include <algorithm>

#include "base/check.h"

namespace pliant::plan {

bool RepeatedSteps::add(int step) {
  const bool added = add_like(step);
  alike_in_a_row_ = added ? alike_in_a_row_ + 1 : 0;
  return added;
}

bool RepeatedSteps::add_like(int step) {
  const LikeStep& like_step = plan_.like_steps[static_cast<std::size_t>(step)];
  if (like_step.like < 0) {
    return false;
  }
  const LaidOutStep& earlier = scratchpad_.steps[static_cast<std::size_t>(like_step.like)];
  const int first = plan_.like_steps[static_cast<std::size_t>(like_step.like)].first;
  const int* const before = &plan_.like_values[static_cast<std::size_t>(first)];
  const int* const now = &plan_.like_values[static_cast<std::size_t>(like_step.first)];
  const int* const results_before = before + like_step.inputs;
  if (earlier.kind == LaidOutStep::Kind::kOther ||
      !inputs_lie_alike(before, now, like_step.inputs)) {
    return false;
  }
  if (earlier.kind == LaidOutStep::Kind::kView) {
    add_view(results_before, now + like_step.inputs, like_step.results);
    scratchpad_.steps[static_cast<std::size_t>(step)].kind = LaidOutStep::Kind::kView;
    return true;
  }
  if (!lend_alike(results_before, like_step)) {
    return false;
  }
  add_results(like_step, results_before, now + like_step.inputs);
  add_call(step, earlier);
  return true;
}

/// Whether inputs have the same strides, begin at the same distance from the beginning of their
/// buffers, and share buffers in the same way.
bool RepeatedSteps::inputs_lie_alike(const int* before, const int* now, int count) {
  const LaidOutValues& values = scratchpad_.values;
  for (int i = 0; i < count; ++i) {
    if (!values.lie_alike(before[i], now[i])) {
      return false;
    }
    const int old_buffer = buffer_at(values.data(before[i]));
    const int new_buffer = buffer_at(values.data(now[i]));
    for (int j = 0; j < i; ++j) {
      if ((old_buffers_[j] == old_buffer) != (new_buffers_[j] == new_buffer)) {
        return false;
      }
    }
    old_buffers_[i] = old_buffer;
    new_buffers_[i] = new_buffer;
  }
  buffer_count_ = count;
  return true;
}

/// Whether the buffers of inputs that results of the earlier step lie in have counterparts that the
/// results of this one may lie in. (Which inputs die is the same for steps that are alike.)
bool RepeatedSteps::lend_alike(const int* before, const LikeStep& step) {
  for (int result = 0; result < step.results; ++result) {
    lenders_[result] = -1;
    if (before[result] < 0) {
      continue;
    }
    const int buffer = buffer_at(scratchpad_.values.data(before[result]));
    const auto* const end = old_buffers_.begin() + step.inputs;
    const auto* const lender = std::find(old_buffers_.cbegin(), end, buffer);
    if (lender == end) {
      continue;
    }
    lenders_[result] = static_cast<int>(lender - old_buffers_.cbegin());
    const Buffer& a = buffers_.at(buffer);
    const Buffer& b = buffers_.at(new_buffers_[lenders_[result]]);
    if (a.kind != b.kind || a.bytes != b.bytes) {
      return false;
    }
  }
  return true;
}

void RepeatedSteps::add_view(const int* before, const int* now, int count) {
  for (int i = 0; i < count; ++i) {
    if (now[i] >= 0) {
      scratchpad_.values.set_like(now[i], before[i],
                                  moved_to(scratchpad_.values.data(before[i]), new_buffers_[0]));
    }
  }
}

void RepeatedSteps::add_results(const LikeStep& step, const int* before, const int* now) {
  LaidOutValues& values = scratchpad_.values;
  for (int i = 0; i < step.inputs; ++i) {
    buffers_.touch(new_buffers_[i]);
  }
  for (int i = 0; i < step.results; ++i) {
    if (now[i] < 0) {
      continue;
    }
    int buffer = 0;
    if (lenders_[i] >= 0) {
      buffer = new_buffers_[lenders_[i]];
    } else {
      const int old_buffer = buffer_at(values.data(before[i]));
      buffer = buffers_.add(buffers_.at(old_buffer).bytes);
      old_buffers_[buffer_count_] = old_buffer;
      new_buffers_[buffer_count_] = buffer;
      ++buffer_count_;
    }
    values.set_like(now[i], before[i], address_of({buffer, 0}));
  }
}

void RepeatedSteps::add_call(int index, const LaidOutStep& earlier) {
  const int old_scratch = run_.call_information[earlier.call].scratch;
  const int scratch =
      old_scratch < 0
          ? -1
          : buffers_.add_scratch(run_.blocks[static_cast<std::size_t>(old_scratch)].bytes);
  std::vector<BoundAddress>& addresses = scratchpad_.addresses;
  LaidOutStep& laid_out = scratchpad_.steps[static_cast<std::size_t>(index)];
  laid_out = {LaidOutStep::Kind::kKernel, run_.calls.size(), addresses.size(),
              earlier.address_count};
  const std::size_t distance = run_.calls.append_again(earlier.call, earlier.call + 1, 1);
  run_.call_information.push_back({{index, CallOrigin::Kind::kInstruction}, scratch, -1});
  for (std::size_t i = 0; i < earlier.address_count; ++i) {
    const BoundAddress old = addresses[earlier.addresses + i];
    const auto* const end = old_buffers_.cbegin() + buffer_count_;
    const auto* const same = std::find(old_buffers_.cbegin(), end, old.place.buffer);
    PLIANT_CHECK(same != end);
    addresses.push_back(
        {old.position + distance, {new_buffers_[same - old_buffers_.cbegin()], old.place.offset}});
  }
}

// ---- whole periods ----

int RepeatedSteps::add_periods(int step) {
  if (next_repetition_ == plan_.repetitions.size()) {
    return 0;
  }
  const Repetition& repetition = plan_.repetitions[next_repetition_];
  const int done = step - repetition.first;
  if (done < 0 || done % repetition.period != 0) {
    return 0;
  }
  before_last_period_ = last_period_;
  last_period_ = this_period_;
  this_period_ = mark();
  const int left = repetition.times - done / repetition.period;
  if (left == 0) {
    ++next_repetition_;
    return add_periods(step);  // the next one may begin here
  }
  if (done < 2 * repetition.period || alike_in_a_row_ < repetition.period ||
      !goes_on(step, repetition.period)) {
    return 0;
  }
  repeat_last_period(repetition, step, left);
  ++next_repetition_;
  const int added = left * repetition.period;
  return added + add_periods(step + added);
}

RepeatedSteps::Mark RepeatedSteps::mark() const {
  return {buffers_.count(), run_.calls.size(), scratchpad_.addresses.size()};
}

/// What stands some periods later where an address stands now: in the same buffer if that is older
/// than the last two periods, else in the buffer that comes for it.
void* RepeatedSteps::shifted(const void* address, int periods) const {
  const int buffer = buffer_at(address);
  return comes_again(buffer) ? moved_to(address, buffer + periods * buffers_per_period())
                             : const_cast<void*>(address);
}

/// Whether all that the next period reads, and that is there already, lies one period further than what
/// the last one read. As each period reads nothing but its own and that of the one before, it goes on
/// like this.
bool RepeatedSteps::goes_on(int end, int period) const {
  if (!(this_period_ - last_period_ == last_period_ - before_last_period_)) {
    return false;
  }
  const LaidOutValues& values = scratchpad_.values;
  for (int step = end; step < end + period; ++step) {
    const LikeStep& next = plan_.like_steps[static_cast<std::size_t>(step)];
    const LikeStep& last = plan_.like_steps[static_cast<std::size_t>(step - period)];
    for (int i = 0; i < next.inputs; ++i) {
      const auto position = static_cast<std::size_t>(i);
      const int value = plan_.like_values[static_cast<std::size_t>(next.first) + position];
      const int earlier = plan_.like_values[static_cast<std::size_t>(last.first) + position];
      if (values.data(value) != nullptr && values.data(value) != shifted(values.data(earlier), 1)) {
        return false;
      }
    }
  }
  return true;
}

void RepeatedSteps::repeat_last_period(const Repetition& repetition, int end, int times) {
  const int period = repetition.period;
  touch_older_buffers(end, period, times);
  buffers_.repeat(before_last_period_.memory, last_period_.memory, period, times);
  const std::size_t distance = run_.calls.append_again(last_period_.calls, this_period_.calls,
                                                       static_cast<std::size_t>(times));
  repeat_addresses(distance, times);
  repeat_call_information(period, times);
  repeat_steps(repetition, end, times);
}

/// What is older than the last two periods is needed up to the last of all.
void RepeatedSteps::touch_older_buffers(int end, int period, int times) {
  for (int step = end - period; step < end; ++step) {
    const LaidOutStep& laid_out = scratchpad_.steps[static_cast<std::size_t>(step)];
    for (std::size_t i = 0; i < laid_out.address_count; ++i) {
      const int buffer = scratchpad_.addresses[laid_out.addresses + i].place.buffer;
      if (!comes_again(buffer)) {
        buffers_.touch(buffer, step + times * period);
      }
    }
  }
}

void RepeatedSteps::repeat_addresses(std::size_t distance, int times) {
  const std::size_t count = this_period_.addresses - last_period_.addresses;
  std::vector<BoundAddress>& addresses = scratchpad_.addresses;
  addresses.reserve(addresses.size() + static_cast<std::size_t>(times) * count);
  for (std::size_t left = static_cast<std::size_t>(times) * count; left > 0; --left) {
    BoundAddress address = addresses[addresses.size() - count];
    address.position += distance;
    address.place.buffer += comes_again(address.place.buffer) ? buffers_per_period() : 0;
    addresses.push_back(address);
  }
}

void RepeatedSteps::repeat_call_information(int period, int times) {
  const std::size_t count = this_period_.calls - last_period_.calls;
  const auto blocks = static_cast<int>(this_period_.memory.blocks - last_period_.memory.blocks);
  run_.call_information.reserve(run_.call_information.size() +
                                static_cast<std::size_t>(times) * count);
  for (std::size_t left = static_cast<std::size_t>(times) * count; left > 0; --left) {
    BoundCall call = run_.call_information[run_.call_information.size() - count];
    call.origin.step += period;
    call.scratch += call.scratch < 0 ? 0 : blocks;
    run_.call_information.push_back(call);
  }
}

/// What later steps may want to know: how results lie, and what became of the steps of the last period.
void RepeatedSteps::repeat_steps(const Repetition& repetition, int end, int times) {
  const int period = repetition.period;
  for (const Repetition::Result& result : repetition.results) {
    if (result.step < end) {
      continue;  // laid out already
    }
    const int periods = (result.step - end) / period + 1;
    const int value = result_of(result.step, result.result);
    const int earlier = result_of(result.step - periods * period, result.result);
    scratchpad_.values.set_like(value, earlier, shifted(scratchpad_.values.data(earlier), periods));
  }
  const Mark size = this_period_ - last_period_;
  for (int step = end - period; step < end; ++step) {
    const LaidOutStep& before = scratchpad_.steps[static_cast<std::size_t>(step)];
    LaidOutStep& last = scratchpad_.steps[static_cast<std::size_t>(step + times * period)];
    last = before;
    last.call += static_cast<std::size_t>(times) * size.calls;
    last.addresses += static_cast<std::size_t>(times) * size.addresses;
  }
}

int RepeatedSteps::result_of(int step, int index) const {
  const LikeStep& like_step = plan_.like_steps[static_cast<std::size_t>(step)];
  return plan_.like_values[static_cast<std::size_t>(like_step.first + like_step.inputs + index)];
}

}  // namespace pliant::plan
