#include <algorithm>
#include <optional>

#include "kernels/movement/copy.h"
#include "plan/bind_run.h"
#include "plan/operands.h"
#include "plan/run_facts.h"
#include "tensor/dtype.h"

namespace pliant::plan {
namespace {

using bind::BindContext;
using bind::BindContextFiller;

/// View rows are asked about a tensor at this address, to see by how much they move it. Nothing is
/// read or written there.
std::byte* const kSomewhere = reinterpret_cast<std::byte*>(std::uintptr_t{1} << 46);

constexpr int kNoBuffer = -1;

class LayOut {
 public:
  LayOut(const Plan& plan, const Environment& environment, Scratchpad& scratchpad, BoundRun& run)
      : plan_(plan),
        environment_(environment),
        scratchpad_(scratchpad),
        values_(scratchpad.values),
        run_(run) {}

  DeclineReason lay_out(shapes::Signature signature, std::span<const TensorView> live_ins) {
    run_.signature.assign(signature.begin(), signature.end());
    run_.buffers.clear();
    run_.blocks.clear();
    run_.outputs.clear();
    scratchpad_.pending_count = 0;
    run_.slots.resize(plan_.shape_program.slot_count());
    if (!plan_.shape_program.evaluate(signature, run_.slots)) {
      return DeclineReason::kUnexpectedShape;
    }
    for (const auto& [slot, range] : plan_.conditions) {
      if (!range.contains(slot.value(run_.slots))) {
        return DeclineReason::kUnexpectedShape;
      }
    }
    if (!ask_rules()) {
      return DeclineReason::kUnexpectedShape;
    }
    place_given(live_ins);
    for (step_ = 0; step_ < static_cast<int>(plan_.steps.size()); ++step_) {
      enter_step();
      if (!add_step(plan_.steps[static_cast<std::size_t>(step_)])) {
        return DeclineReason::kUnexpectedShape;
      }
    }
    enter_step();
    for (std::size_t i = 0; i < plan_.live_outs.size(); ++i) {
      if (plan_.live_outs[i].kind == LiveOut::Kind::kProgramOutput) {
        run_.outputs[i] = program_output(static_cast<int>(i));
      }
    }
    for (std::size_t i = 0; i < plan_.live_outs.size(); ++i) {
      if (plan_.live_outs[i].kind != LiveOut::Kind::kProgramOutput) {
        run_.outputs[i] = register_output(static_cast<int>(i));
      }
    }
    run_.arena_bytes = assign_memory(run_.blocks);
    return DeclineReason::kNone;
  }

 private:
  /// Live-ins and constants.
  void place_given(std::span<const TensorView> live_ins) {
    for (std::size_t i = 0; i < live_ins.size(); ++i) {
      run_.buffers.push_back({Buffer::Kind::kLiveIn, static_cast<int>(i), 0});
    }
    values_.resize(std::max(values_.size(), plan_.values.size()));
    for (std::size_t i = 0; i < plan_.values.size(); ++i) {
      const PlanValue& value = plan_.values[i];
      if (value.kind == Value::Kind::kLiveIn && value.index >= 0) {
        values_[i] = {live_ins[static_cast<std::size_t>(value.index)], value.index, 0};
      } else if (value.kind == Value::Kind::kConstant) {
        values_[i] = {plan_.constants[static_cast<std::size_t>(value.index)].view,
                      Located::constant_buffer(value.index), 0};
      }
    }
    run_.outputs.resize(plan_.live_outs.size());
  }

  /// Steps that run together need all of their memory at the same time.
  void enter_step() {
    if (step_ != 0 && step_ <= together_last_) {
      return;
    }
    together_first_ = step_;
    together_last_ = step_;
    while (together_last_ < static_cast<int>(plan_.steps.size()) &&
           plan_.steps[static_cast<std::size_t>(together_last_)].rows_with_next > 0) {
      ++together_last_;
    }
  }

  bool add_step(const Step& step) {
    if (step.op == nullptr) {
      for (const StepInstruction& part : step.instructions) {
        if (!compute_shapes(part)) {
          return false;
        }
      }
      add_group(step, nullptr);
      return true;
    }
    const StepInstruction& part = step.instructions[0];
    Rebinding& pending = next_pending(Rebinding::Kind::kInstruction);
    BindContext& context = begin(step, part, pending);
    if (!compute_shapes(part)) {
      return false;
    }
    add_outputs(part, context);
    if (step.is_view) {
      --scratchpad_.pending_count;  // a view is no call, but may need a copy
      return add_view(step, context);
    }
    if (step.op->layout != nullptr) {
      step.op->layout(context);
    }
    return add_kernel(step, part);
  }

  // ---- one instruction ----

  BindContext& begin(const Step& step, const StepInstruction& part, Rebinding& pending) {
    if (pending.context == nullptr) {
      pending.context = std::make_unique<BindContext>();
    }
    BindContext& context = *pending.context;
    BindContextFiller filler(context);
    filler.begin(part.instruction, environment_.level, environment_.parallel.worker_count(),
                 environment_.packed);
    filler.set_numbers(0, step.origin);
    for (const StepInput& input : part.inputs) {
      const Located located = locate(input);
      const bool constant =
          input.value >= 0 && is_kept(plan_.values[static_cast<std::size_t>(input.value)]);
      filler.add_input(input.operand, located.view, constant);
      pending.inputs.push_back(located);
    }
    for (const StepSizes& sizes : part.sizes) {
      scratchpad_.numbers.clear();
      for (const Slot& slot : sizes.values) {
        scratchpad_.numbers.push_back(slot.value(run_.slots));
      }
      filler.add_sizes(sizes.operand, scratchpad_.numbers);
    }
    for (const StepNumbers& numbers : part.numbers) {
      filler.add_numbers(numbers.operand, numbers.values);
    }
    return context;
  }

  /// A constant that lives as long as the program: packed forms of it may be kept.
  [[nodiscard]] bool is_kept(const PlanValue& value) const {
    return value.kind == Value::Kind::kConstant &&
           static_cast<std::size_t>(value.index) < plan_.lasting_constants;
  }

  /// A tensor operand: a value, or a size as a 0-d tensor.
  Located locate(const StepInput& input) {
    if (input.value >= 0) {
      return values_[static_cast<std::size_t>(input.value)];
    }
    const std::int64_t* const number =
        input.size.index < 0 ? &input.size.number
                             : &run_.slots[static_cast<std::size_t>(input.size.index)];
    return {contiguous_view(const_cast<std::int64_t*>(number), DType::kI64, {}),
            Located::kFixedPlace, 0};
  }

  /// Puts the sizes to the rules; false when one refuses, or says something else than the compiler
  /// computed with.
  bool ask_rules() {
    RunFacts facts(plan_, run_.slots);
    std::optional<semantics::InferenceContext> context;
    for (const isa::Instruction& rule : plan_.rules) {
      if (context) {
        context->reset(rule);
      } else {
        context.emplace(rule, facts);
      }
      if (!context->infer() || !agrees(rule, *context)) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool agrees(const isa::Instruction& rule,
                            const semantics::InferenceContext& context) const {
    const isa::InstructionInfo& row = isa::info(rule.opcode);
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      if (!row.operands[i].is_definition()) {
        continue;
      }
      const isa::Operand& operand = rule.operands[i];
      const bool is_list = operand.form == isa::Form::kList;
      const std::size_t count = is_list ? operand.list.size() : 1;
      for (std::size_t part = 0; part < count; ++part) {
        const int value = value_in(is_list ? operand.list[part] : operand);
        if (value >= 0 &&
            !has_shape(value, context.result(static_cast<int>(i), static_cast<int>(part)))) {
          return false;
        }
      }
    }
    return true;
  }

  [[nodiscard]] bool has_shape(int value, const semantics::TensorFacts& facts) const {
    const std::vector<Slot>& expected = plan_.values[static_cast<std::size_t>(value)].shape;
    if (!facts.rank_known || facts.shape.size() != expected.size()) {
      return false;
    }
    for (std::size_t axis = 0; axis < expected.size(); ++axis) {
      if (!facts.shape[axis].is(expected[axis].value(run_.slots))) {
        return false;
      }
    }
    return true;
  }

  /// The shapes of an instruction's results; false for one that cannot be.
  bool compute_shapes(const StepInstruction& part) {
    for (const StepOutput& output : part.outputs) {
      if (output.value < 0) {
        continue;
      }
      const PlanValue& value = plan_.values[static_cast<std::size_t>(output.value)];
      TensorView& view = values_[static_cast<std::size_t>(output.value)].view;
      view.dtype = value.dtype;
      view.shape.clear();
      for (const Slot& slot : value.shape) {
        const std::int64_t extent = slot.value(run_.slots);
        if (extent < 0) {
          return false;
        }
        view.shape.push_back(extent);
      }
      if (!checked_element_count(view.shape)) {
        return false;
      }
      view.strides = contiguous_strides(view.shape);
    }
    return true;
  }

  void add_outputs(const StepInstruction& part, BindContext& context) {
    BindContextFiller filler(context);
    for (const StepOutput& output : part.outputs) {
      if (output.value < 0) {
        filler.add_output(output.operand, DType::kF32, {}, false);
      } else {
        const TensorView& view = values_[static_cast<std::size_t>(output.value)].view;
        filler.add_output(output.operand, view.dtype, view.shape, output.wanted);
      }
    }
  }

  bool add_view(const Step& step, BindContext& context) {
    BindContextFiller filler(context);
    Located x = locate(step.instructions[0].inputs[0]);
    TensorView& input = filler.inputs()[0].view;
    input.data = kSomewhere;
    if (step.op->view(context) == bind::ViewOutcome::kNeedsContiguousInput) {
      x = row_major_copy(x);
      input = x.view;
      input.data = kSomewhere;
      if (step.op->view(context) != bind::ViewOutcome::kView) {
        return false;
      }
    }
    std::size_t i = 0;
    for (const StepOutput& output : step.instructions[0].outputs) {
      if (output.value >= 0) {
        Located& result = values_[static_cast<std::size_t>(output.value)];
        result.view = filler.outputs()[i].view;
        result.buffer = x.buffer;
        result.offset = x.offset + (static_cast<std::byte*>(result.view.data) - kSomewhere);
        if (x.buffer == Located::kFixedPlace) {
          result.view.data = x.view.data;  // a view of a single number is that number
        }
      }
      ++i;
    }
    return true;
  }

  bool add_kernel(const Step& step, const StepInstruction& part) {
    // Copies become calls before this one, so they are noted first and the step is put behind.
    const std::size_t own = scratchpad_.pending_count - 1;
    BindContextFiller filler(*scratchpad_.pending[own].context);
    const std::size_t input_count = filler.inputs().size();
    std::size_t place = own;
    for (std::size_t i = 0; i < input_count; ++i) {
      BindContext::Input& input = filler.inputs()[i];
      if (!input.must_be_contiguous || input.view.is_contiguous()) {
        continue;
      }
      Located& located = scratchpad_.pending[place].inputs[i];
      if (input.constant && environment_.packed != nullptr) {
        located.view = environment_.packed->row_major(input.view, environment_.level);
        located.buffer = Located::kFixedPlace;
      } else {
        const Located source = located;
        const Located copy = row_major_copy(source);
        std::swap(scratchpad_.pending[place], scratchpad_.pending[place + 1]);
        ++place;
        scratchpad_.pending[place].inputs[i] = copy;
        input.constant = false;
      }
      input.view = scratchpad_.pending[place].inputs[i].view;
    }
    Rebinding& pending = scratchpad_.pending[place];
    pending.step = step_;
    for (const Located& input : pending.inputs) {
      touch(input.buffer);
    }
    std::size_t i = 0;
    for (const StepOutput& output : part.outputs) {
      const TensorView& view = filler.outputs()[i++].view;
      if (!output.wanted) {
        pending.outputs.push_back({view, Located::kFixedPlace, 0});
        continue;
      }
      Located& result = values_[static_cast<std::size_t>(output.value)];
      const int dying = pending.outputs.empty()
                            ? dying_operand(view, lenders(step, part), pending.inputs)
                            : kNoBuffer;
      result = {view, dying == kNoBuffer ? new_buffer(view) : dying, 0};
      pending.outputs.push_back(result);
    }
    pending.scratch = scratch(filler.scratch_bytes());
    if (step.group) {
      for (std::size_t member = 1; member < step.instructions.size(); ++member) {
        if (!compute_shapes(step.instructions[member])) {
          return false;
        }
      }
      const Located product = pending.outputs[0];  // the list of pending calls may move
      add_group(step, &product);
    }
    return true;
  }

  // ---- groups and copies ----

  /// The group of a step; `product` is the result of its kernel, if it has one: the group then
  /// works in that memory as far as the sizes of elements allow.
  void add_group(const Step& step, const Located* product) {
    Rebinding& pending = next_pending(Rebinding::Kind::kGroup);
    scratchpad_.views.clear();
    for (const StepInput& input : step.group_inputs) {
      pending.inputs.push_back(locate(input));
      scratchpad_.views.push_back(pending.inputs.back().view);
      touch(pending.inputs.back().buffer);
    }
    bool in_place = product != nullptr;
    for (const int value : step.group_results) {
      Located& result = values_[static_cast<std::size_t>(value)];
      result.view.strides = product != nullptr ? product->view.strides
                                               : bind::ElementwiseGroup::strides(scratchpad_.views,
                                                                                 result.view.shape);
      if (in_place && byte_size(result.view.dtype) == byte_size(product->view.dtype)) {
        result.buffer = product->buffer;
        in_place = false;  // one result can have that memory
      } else {
        const bool is_first = product == nullptr && pending.outputs.empty();
        const int dying =
            is_first ? dying_operand(result.view, step.group_inputs, pending.inputs) : kNoBuffer;
        result.buffer = dying == kNoBuffer ? new_buffer(result.view) : dying;
      }
      result.offset = 0;
      pending.outputs.push_back(result);
    }
  }

  Located row_major_copy(const Located& source) {
    Located target;
    target.view = contiguous_view(nullptr, source.view.dtype, source.view.shape);
    target.buffer = new_buffer(target.view);
    add_copy(source, target);
    return target;
  }

  void add_copy(const Located& source, const Located& target) {
    touch(source.buffer);
    Rebinding& pending = next_pending(Rebinding::Kind::kCopy);
    pending.inputs.push_back(source);
    pending.outputs.push_back(target);
  }

  Rebinding& next_pending(Rebinding::Kind kind) {
    if (scratchpad_.pending_count == scratchpad_.pending.size()) {
      scratchpad_.pending.emplace_back();
    }
    Rebinding& pending = scratchpad_.pending[scratchpad_.pending_count++];
    pending.kind = kind;
    pending.step = step_;
    pending.scratch = -1;
    pending.taken = false;
    pending.inputs.clear();
    pending.outputs.clear();
    return pending;
  }

  // ---- memory ----

  static std::size_t bytes_of(const TensorView& view) {
    return static_cast<std::size_t>(view.element_count()) * byte_size(view.dtype);
  }

  int new_buffer(const TensorView& view) {
    const std::size_t bytes = bytes_of(view);
    run_.blocks.push_back({bytes, together_first_, together_last_, 0});
    run_.buffers.push_back({Buffer::Kind::kArena, static_cast<int>(run_.blocks.size()) - 1, bytes});
    return static_cast<int>(run_.buffers.size()) - 1;
  }

  /// The inputs whose memory the first result of a kernel may have.
  static std::span<const StepInput> lenders(const Step& step, const StepInstruction& part) {
    const std::span<const StepInput> inputs = part.inputs;
    switch (step.op->in_place) {
      case bind::InPlace::kNever:
        return {};
      case bind::InPlace::kFirstInput:
        return inputs.first(std::min<std::size_t>(inputs.size(), 1));
      case bind::InPlace::kAnyInput:
        return inputs;
    }
    return {};
  }

  /// The buffer of one of `lenders` (the first of `inputs`) that nobody needs after this step and
  /// that lies as `result` does, or kNoBuffer.
  int dying_operand(const TensorView& result, std::span<const StepInput> lenders,
                    std::span<const Located> inputs) const {
    for (std::size_t i = 0; i < lenders.size(); ++i) {
      const Located& input = inputs[i];
      if (!lenders[i].dies || input.buffer < 0 || input.offset != 0) {
        continue;
      }
      const Buffer& buffer = run_.buffers[static_cast<std::size_t>(input.buffer)];
      const bool fits = buffer.kind == Buffer::Kind::kArena && buffer.bytes == bytes_of(result) &&
                        byte_size(input.view.dtype) == byte_size(result.dtype) &&
                        lies_as(input.view, result);
      // Another operand may look at the same memory in another order.
      const auto in_the_way = [&](const Located& other) {
        return other.buffer == input.buffer && (other.offset != 0 || !lies_as(other.view, result));
      };
      if (fits && std::none_of(inputs.begin(), inputs.end(), in_the_way)) {
        return input.buffer;
      }
    }
    return kNoBuffer;
  }

  static bool lies_as(const TensorView& a, const TensorView& b) {
    return a.shape == b.shape && a.strides == b.strides;
  }

  int scratch(std::size_t bytes) {
    if (bytes == 0) {
      return -1;
    }
    run_.blocks.push_back({bytes, together_first_, together_last_, 0});
    return static_cast<int>(run_.blocks.size()) - 1;
  }

  /// A buffer is needed up to this step.
  void touch(int buffer) {
    if (buffer < 0) {
      return;
    }
    const Buffer& entry = run_.buffers[static_cast<std::size_t>(buffer)];
    if (entry.kind == Buffer::Kind::kArena) {
      run_.blocks[static_cast<std::size_t>(entry.index)].last_step = together_last_;
    }
  }

  // ---- live-outs ----

  /// Outputs belong to the caller, who may write to them: each is row-major in memory of its own.
  BoundOutput program_output(int index) {
    const LiveOut& out = plan_.live_outs[static_cast<std::size_t>(index)];
    const Located& value = values_[static_cast<std::size_t>(out.value)];
    if (value.buffer >= 0 && value.offset == 0 && value.view.is_contiguous()) {
      Buffer& buffer = run_.buffers[static_cast<std::size_t>(value.buffer)];
      if (buffer.kind == Buffer::Kind::kArena && buffer.bytes == bytes_of(value.view)) {
        hand_out(buffer, index);
        return {value, 0};
      }
    }
    return copied_output(value, index);
  }

  BoundOutput register_output(int index) {
    const LiveOut& out = plan_.live_outs[static_cast<std::size_t>(index)];
    if (out.kind == LiveOut::Kind::kSizeRegister) {
      return {{}, plan_.live_out_sizes[static_cast<std::size_t>(index)].value(run_.slots)};
    }
    const Located& value = values_[static_cast<std::size_t>(out.value)];
    if (value.buffer == Located::kFixedPlace) {
      return copied_output(value, index);  // a number that stands as a tensor
    }
    if (value.buffer >= 0) {
      Buffer& buffer = run_.buffers[static_cast<std::size_t>(value.buffer)];
      if (buffer.kind == Buffer::Kind::kArena) {
        hand_out(buffer, index);
      }
    }
    return {value, 0};
  }

  BoundOutput copied_output(const Located& value, int index) {
    Located copy;
    copy.view = contiguous_view(nullptr, value.view.dtype, value.view.shape);
    copy.buffer = new_buffer(copy.view);
    add_copy(value, copy);
    hand_out(run_.buffers[static_cast<std::size_t>(copy.buffer)], index);
    return {copy, 0};
  }

  void hand_out(Buffer& buffer, int index) {
    run_.blocks[static_cast<std::size_t>(buffer.index)].bytes = 0;
    buffer.kind = Buffer::Kind::kLiveOut;
    buffer.index = index;
  }

  const Plan& plan_;
  const Environment& environment_;
  Scratchpad& scratchpad_;
  std::vector<Located>& values_;
  BoundRun& run_;
  int step_ = 0;
  int together_first_ = 0;  ///< the steps that run together with this one
  int together_last_ = 0;
};

}  // namespace

DeclineReason lay_out(const Plan& plan, shapes::Signature signature,
                      std::span<const TensorView> live_ins, const Environment& environment,
                      Scratchpad& scratchpad, BoundRun& run) {
  return LayOut(plan, environment, scratchpad, run).lay_out(signature, live_ins);
}

}  // namespace pliant::plan
