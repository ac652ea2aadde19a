#include "plan/like_steps.h"

#include <algorithm>
#include <unordered_map>

#include "isa/info.h"
#include "plan/operands.h"
#include "shapes/signature.h"

namespace pliant::plan {
namespace {

bool same_slots(const std::vector<Slot>& a, const std::vector<Slot>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Slot& x, const Slot& y) {
    return x.index == y.index && (x.index >= 0 || x.number == y.number);
  });
}

class LikeSteps {
 public:
  explicit LikeSteps(Plan& plan) : plan_(plan) {}

  void find() {
    plan_.like_steps.resize(plan_.steps.size());
    producers_.resize(plan_.values.size());
    std::unordered_map<std::uint64_t, int> latest;
    std::vector<int> one_before(plan_.steps.size(), -1);  // of the same kind
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      const Step& step = plan_.steps[i];
      if (!may_be_like(step)) {
        continue;
      }
      add_values(step.instructions[0], plan_.like_steps[i]);
      note_producer(static_cast<int>(i));
      int& last = latest.try_emplace(hash(step), -1).first->second;
      one_before[i] = last;
      last = static_cast<int>(i);
      plan_.like_steps[i].like = find_like(static_cast<int>(i), one_before);
    }
    find_last_reads();
    find_repetitions();
  }

 private:
  /// The latest step that a step is like, but rather one whose period both could be steps of; -1: none.
  [[nodiscard]] int find_like(int step, const std::vector<int>& one_before) const {
    constexpr int kMostTries = 16;  // steps of one kind in a period
    int like = -1;
    int earlier = one_before[static_cast<std::size_t>(step)];
    for (int i = 0; i < kMostTries && earlier >= 0; ++i) {
      if (alike(earlier, step)) {
        if (reads_within(step, step - earlier)) {
          return earlier;
        }
        like = like < 0 ? earlier : like;
      }
      earlier = one_before[static_cast<std::size_t>(earlier)];
    }
    return like;
  }

  /// Which result of which step a value is.
  struct Producer {
    int step = -1;
    int result = 0;
  };
  void note_producer(int step) {
    for (int i = 0; i < plan_.like_steps[static_cast<std::size_t>(step)].results; ++i) {
      if (const int value = result(step, i); value >= 0) {
        producers_[static_cast<std::size_t>(value)] = {step, i};
      }
    }
  }

  /// The last step that reads each value; the number of steps for live-outs.
  void find_last_reads() {
    last_reads_.resize(plan_.values.size(), -1);
    const auto note = [&](int value, std::size_t step) {
      if (value >= 0) {
        last_reads_[static_cast<std::size_t>(value)] = static_cast<int>(step);
      }
    };
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      for (const StepInstruction& part : plan_.steps[i].instructions) {
        for (const StepInput& input : part.inputs) {
          note(input.value, i);
        }
      }
      for (const StepInput& input : plan_.steps[i].group_inputs) {
        note(input.value, i);
      }
    }
    for (const LiveOut& out : plan_.live_outs) {
      if (out.kind != LiveOut::Kind::kSizeRegister) {
        note(out.value, plan_.steps.size());
      }
    }
  }

  /// What is read later, and all of the last two periods: steps that are like those of the last one ask
  /// how these, and what they read, lie.
  void find_results(Repetition& repetition) const {
    const int end = repetition.first + repetition.times * repetition.period;
    for (int step = repetition.first + 2 * repetition.period; step < end; ++step) {
      for (int i = 0; i < plan_.like_steps[static_cast<std::size_t>(step)].results; ++i) {
        const int value = result(step, i);
        if (value >= 0 && (step >= end - 2 * repetition.period ||
                           last_reads_[static_cast<std::size_t>(value)] >= end)) {
          repetition.results.push_back({step, i});
        }
      }
    }
  }

  void find_repetitions() {
    const auto count = static_cast<int>(plan_.steps.size());
    int free = 0;  // what lies before belongs to a repetition
    int i = 0;
    while (i < count) {
      if (like(i) < 0) {
        ++i;
        continue;
      }
      const int period = i - like(i);
      const int end = end_of_periods(i, period);
      const int first = i - period >= free ? i - period : i;
      const int times = (end - first) / period;
      if (times >= 3 && stand_alone(first, first + period)) {
        plan_.repetitions.push_back({first, period, times, {}});
        find_results(plan_.repetitions.back());
        free = first + times * period;
      }
      i = std::max(end, i + 1);
    }
  }

  /// How far steps are like those one period earlier, from a step on that is.
  [[nodiscard]] int end_of_periods(int step, int period) const {
    const auto count = static_cast<int>(plan_.steps.size());
    int end = step;
    while (end < count && like(end) == end - period && stands_alone(end) &&
           (end < step + period || reads_within(end, period))) {
      ++end;
    }
    return end;
  }

  [[nodiscard]] const Step& step(int index) const {
    return plan_.steps[static_cast<std::size_t>(index)];
  }
  /// A value, or -1.
  [[nodiscard]] int result(int step, int index) const {
    const LikeStep& like_step = plan_.like_steps[static_cast<std::size_t>(step)];
    return plan_.like_values[static_cast<std::size_t>(like_step.first + like_step.inputs + index)];
  }
  [[nodiscard]] int like(int step) const {
    return plan_.like_steps[static_cast<std::size_t>(step)].like;
  }
  /// Whether a step runs together with no other.
  [[nodiscard]] bool stands_alone(int index) const {
    return plan_.last_together[static_cast<std::size_t>(index)] == index &&
           (index == 0 || plan_.last_together[static_cast<std::size_t>(index) - 1] < index);
  }
  [[nodiscard]] bool stand_alone(int first, int end) const {
    for (int i = first; i < end; ++i) {
      if (!stands_alone(i)) {
        return false;
      }
    }
    return true;
  }

  /// Whether a step reads what its period and the one before have made, as the step one period earlier
  /// does, or the same as that.
  [[nodiscard]] bool reads_within(int step, int period) const {
    const LikeStep& now = plan_.like_steps[static_cast<std::size_t>(step)];
    const LikeStep& before = plan_.like_steps[static_cast<std::size_t>(step - period)];
    for (int i = 0; i < now.inputs; ++i) {
      const int read = plan_.like_values[static_cast<std::size_t>(now.first + i)];
      const int read_before = plan_.like_values[static_cast<std::size_t>(before.first + i)];
      const Producer& producer = producers_[static_cast<std::size_t>(read)];
      const Producer& producer_before = producers_[static_cast<std::size_t>(read_before)];
      const bool moves_along = producer.step >= step - period &&
                               producer_before.step == producer.step - period &&
                               producer_before.result == producer.result;
      if (read != read_before && !moves_along) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] const PlanValue& value(int index) const {
    return plan_.values[static_cast<std::size_t>(index)];
  }

  [[nodiscard]] bool may_be_like(const Step& step) const {
    if (step.op == nullptr || step.group || step.is_random || step.op->check != nullptr) {
      return false;
    }
    const std::vector<StepInput>& inputs = step.instructions[0].inputs;
    return inputs.size() <= LikeStep::kMaxInputs &&
           step.instructions[0].outputs.size() <= LikeStep::kMaxResults &&
           std::all_of(inputs.begin(), inputs.end(), [&](const StepInput& input) {
             return input.value >= 0 && value(input.value).kind != Value::Kind::kConstant;
           });
  }

  void add_values(const StepInstruction& part, LikeStep& like_step) {
    like_step.first = static_cast<int>(plan_.like_values.size());
    like_step.inputs = static_cast<int>(part.inputs.size());
    like_step.results = static_cast<int>(part.outputs.size());
    for (const StepInput& input : part.inputs) {
      plan_.like_values.push_back(input.value);
    }
    for (const StepOutput& output : part.outputs) {
      plan_.like_values.push_back(output.wanted ? output.value : -1);
    }
  }

  /// Equal for steps that are alike.
  [[nodiscard]] std::uint64_t hash(const Step& step) const {
    const StepInstruction& part = step.instructions[0];
    std::uint64_t seed = static_cast<std::uint64_t>(part.instruction.opcode);
    const auto add = [&](int index) {
      for (const Slot& slot : value(index).shape) {
        seed = shapes::mix_hash(
            seed, static_cast<std::uint64_t>(slot.index < 0 ? slot.number : -1 - slot.index));
      }
    };
    for (const StepInput& input : part.inputs) {
      add(input.value);
    }
    for (const StepOutput& output : part.outputs) {
      if (output.value >= 0) {
        add(output.value);
      }
    }
    return seed;
  }

  [[nodiscard]] bool alike(int a, int b) const {
    const StepInstruction& x = step(a).instructions[0];
    const StepInstruction& y = step(b).instructions[0];
    return same_attributes(x.instruction, y.instruction) &&
           std::equal(x.inputs.begin(), x.inputs.end(), y.inputs.begin(), y.inputs.end(),
                      [&](const StepInput& p, const StepInput& q) {
                        return p.operand == q.operand && p.dies == q.dies &&
                               same_type(p.value, q.value);
                      }) &&
           std::equal(x.outputs.begin(), x.outputs.end(), y.outputs.begin(), y.outputs.end(),
                      [&](const StepOutput& p, const StepOutput& q) {
                        return p.operand == q.operand && p.wanted == q.wanted &&
                               same_type(p.value, q.value);
                      });
  }

  /// Everything but the tensors.
  static bool same_attributes(const isa::Instruction& a, const isa::Instruction& b) {
    if (a.opcode != b.opcode) {
      return false;
    }
    const isa::InstructionInfo& row = isa::info(a.opcode);
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      const bool is_tensor = reads_tensors(row.operands[i].kind) || row.operands[i].is_definition();
      if (!is_tensor && !(a.operands[i] == b.operands[i])) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool same_type(int a, int b) const {
    if (a < 0 || b < 0) {
      return a < 0 && b < 0;
    }
    return value(a).dtype == value(b).dtype && same_slots(value(a).shape, value(b).shape);
  }

  Plan& plan_;
  std::vector<Producer> producers_;  ///< by value
  std::vector<int> last_reads_;      ///< by value
};

}  // namespace

void find_like_steps(Plan& plan) {
  LikeSteps(plan).find();
}

}  // namespace pliant::plan
