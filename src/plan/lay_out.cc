#include "plan/lay_out.h"

#include <algorithm>
#include <utility>

#include "kernels/movement/copy.h"
#include "plan/compute_sizes.h"
#include "plan/repeated_steps.h"
#include "plan/row_blocks.h"
#include "plan/run_buffers.h"
#include "tensor/dtype.h"

namespace pliant::plan {
namespace {

using bind::BindContext;
using bind::BindContextFiller;

class LayOut {
 public:
  LayOut(const Plan& plan, const Environment& environment, Scratchpad& scratchpad, BoundRun& run,
         std::vector<CallDetails>* details)
      : plan_(plan),
        environment_(environment),
        scratchpad_(scratchpad),
        values_(scratchpad.values),
        run_(run),
        buffers_(plan, run),
        repeated_steps_(plan, scratchpad, run, buffers_),
        details_(details) {}

  DeclineReason lay_out(shapes::Signature signature, std::span<const TensorView> live_ins) {
    clear();
    run_.signature.assign(signature.begin(), signature.end());
    if (!compute_sizes(plan_, signature, run_.slots)) {
      return DeclineReason::kUnexpectedShape;
    }
    place_given(live_ins);
    scratchpad_.steps.assign(plan_.steps.size(), {});
    const auto step_count = static_cast<int>(plan_.steps.size());
    for (step_ = repeated_steps_.add_periods(0); step_ < step_count;
         step_ += 1 + repeated_steps_.add_periods(step_ + 1)) {
      buffers_.enter(step_);
      if (!is_repeated() && !add_step(plan_.steps[static_cast<std::size_t>(step_)])) {
        return DeclineReason::kUnexpectedShape;
      }
      if (!buffers_.fits()) {
        return DeclineReason::kNoMemory;
      }
    }
    buffers_.enter(step_);
    run_.outputs.resize(plan_.live_outs.size());
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
    if (!buffers_.fits()) {
      return DeclineReason::kNoMemory;
    }
    find_row_blocks(plan_, scratchpad_, run_);
    run_.arena_bytes = scratchpad_.memory.assign(run_.blocks);
    return DeclineReason::kNone;
  }

 private:
  void clear() {
    run_.calls.clear();
    run_.call_information.clear();
    run_.rebindings.clear();
    run_.outputs.clear();
    scratchpad_.addresses.clear();
    scratchpad_.row_tensors.clear();
  }

  /// Live-ins and constants.
  void place_given(std::span<const TensorView> live_ins) {
    for (const TensorView& view : live_ins) {
      buffers_.add_live_in(view);
    }
    values_.reset(plan_.values.size());
    for (std::size_t i = 0; i < plan_.values.size(); ++i) {
      const PlanValue& value = plan_.values[i];
      if (value.kind == Value::Kind::kLiveIn && value.index >= 0) {
        TensorView view = live_ins[static_cast<std::size_t>(value.index)];
        view.data = address_of({value.index, 0});
        values_.set(static_cast<int>(i), view);
      } else if (value.kind == Value::Kind::kConstant) {
        values_.set(static_cast<int>(i),
                    plan_.constants[static_cast<std::size_t>(value.index)].view);
      }
    }
  }

  [[nodiscard]] TensorView value(int index) const { return values_.view(index); }
  LaidOutStep& laid_out() { return scratchpad_.steps[static_cast<std::size_t>(step_)]; }

  /// A step like an earlier one has been added as that was.
  bool is_repeated() {
    return details_ == nullptr && !buffers_.runs_together() && repeated_steps_.add(step_);
  }

  bool add_step(const Step& step) {
    if (step.op == nullptr) {
      for (const StepInstruction& part : step.instructions) {
        if (!compute_shapes(part)) {
          return false;
        }
      }
      place_group(step, nullptr);
      bind_group(step);
      return true;
    }
    const StepInstruction& part = step.instructions[0];
    BindContext& context = begin(step, part);
    if (!compute_shapes(part)) {
      return false;
    }
    add_outputs(part, context);
    if (step.is_view) {
      return add_view(step, context);
    }
    if (step.op->layout != nullptr) {
      step.op->layout(context);
    }
    return add_kernel(step, part, context);
  }

  // ---- one instruction ----

  BindContext& begin(const Step& step, const StepInstruction& part) {
    if (scratchpad_.context == nullptr) {
      scratchpad_.context = std::make_unique<BindContext>();
    }
    BindContext& context = *scratchpad_.context;
    BindContextFiller filler(context);
    filler.begin(part.instruction, environment_.level, environment_.parallel.worker_count(),
                 environment_.packed);
    filler.set_numbers(0, step.origin);
    for (const StepInput& input : part.inputs) {
      if (input.value >= 0) {
        filler.add_input(input.operand, value(input.value),
                         is_kept(plan_.values[static_cast<std::size_t>(input.value)]));
      } else {
        filler.add_input(input.operand, size_as_tensor(input), false);
      }
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
    const auto index = static_cast<std::size_t>(value.index);
    return value.kind == Value::Kind::kConstant && index < plan_.lasting_constants.size() &&
           plan_.lasting_constants[index];
  }

  /// A size that stands as a 0-d tensor.
  TensorView size_as_tensor(const StepInput& input) {
    const std::int64_t* const number =
        input.size.index < 0 ? &input.size.number
                             : &run_.slots[static_cast<std::size_t>(input.size.index)];
    return contiguous_view(const_cast<std::int64_t*>(number), DType::kI64, {});
  }

  /// The shapes of an instruction's results; false for one that cannot be.
  bool compute_shapes(const StepInstruction& part) {
    for (const StepOutput& output : part.outputs) {
      if (output.value < 0) {
        continue;
      }
      const PlanValue& fixed = plan_.values[static_cast<std::size_t>(output.value)];
      TensorView view;
      view.dtype = fixed.dtype;
      for (const Slot& slot : fixed.shape) {
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
      values_.set(output.value, view);
    }
    return true;
  }

  void add_outputs(const StepInstruction& part, BindContext& context) {
    BindContextFiller filler(context);
    for (const StepOutput& output : part.outputs) {
      if (output.value < 0) {
        filler.add_output(output.operand, DType::kF32, {}, false);
      } else {
        const TensorView view = value(output.value);
        filler.add_output(output.operand, view.dtype, view.shape, output.wanted);
      }
    }
  }

  bool add_view(const Step& step, BindContext& context) {
    BindContextFiller filler(context);
    TensorView& input = filler.inputs()[0].view;
    laid_out().kind = LaidOutStep::Kind::kView;
    if (step.op->view(context) == bind::ViewOutcome::kNeedsContiguousInput) {
      input = row_major_copy(input);
      laid_out().kind = LaidOutStep::Kind::kOther;
      if (step.op->view(context) != bind::ViewOutcome::kView) {
        return false;
      }
    }
    std::size_t i = 0;
    for (const StepOutput& output : step.instructions[0].outputs) {
      if (output.value >= 0) {
        values_.set(output.value, filler.outputs()[i].view);
      }
      ++i;
    }
    return true;
  }

  bool add_kernel(const Step& step, const StepInstruction& part, BindContext& context) {
    BindContextFiller filler(context);
    const std::size_t calls_before = run_.calls.size();
    for (BindContext::Input& input : filler.inputs()) {
      make_contiguous(input);
      buffers_.touch(input.view);
    }
    place_results(step, part, context);
    const int scratch = buffers_.add_scratch(filler.scratch_bytes());
    const bool bound_again = step.is_random || step.op->check != nullptr;
    bind::EpilogueRequest request;
    if (step.group) {
      if (!compute_shapes_of_group(step)) {
        return false;
      }
      place_group(step, &filler.outputs()[0].view);
      if (!bound_again) {
        request = {&*step.group, group_operands(step), group_results(step)};
        filler.request_epilogue(request);
      }
    }
    // A step whose results nobody reads is there for its check alone.
    if (std::any_of(part.outputs.begin(), part.outputs.end(),
                    [](const StepOutput& output) { return output.wanted; })) {
      step.op->bind(context);
    }
    note_tensors(context);
    laid_out() = {
        run_.calls.size() == calls_before ? LaidOutStep::Kind::kKernel : LaidOutStep::Kind::kOther,
        run_.calls.size(), scratchpad_.addresses.size(), 0};
    add_call(context.call, CallOrigin::Kind::kInstruction, scratch);
    laid_out().address_count = scratchpad_.addresses.size() - laid_out().addresses;
    const bool taken = filler.epilogue_taken();
    if (details_ != nullptr) {
      details_->push_back({step_, false, std::move(scratchpad_.context), {}, {}});
    } else if (bound_again) {
      add_rebinding();
    }
    if (step.group) {
      if (taken) {
        leave_group_to_kernel(step);
      } else {
        bind_group(step);
      }
    }
    return true;
  }

  /// Results that somebody wants get a place.
  void place_results(const Step& step, const StepInstruction& part, BindContext& context) {
    BindContextFiller filler(context);
    for (std::size_t i = 0; i < part.outputs.size(); ++i) {
      if (!part.outputs[i].wanted) {
        continue;
      }
      const std::optional<int> dying = i == 0 ? dying_input(step, part, context) : std::nullopt;
      TensorView& view = filler.outputs()[i].view;
      view.data = address_of({dying ? *dying : buffers_.add(view), 0});
      values_.set(part.outputs[i].value, view);
    }
  }

  /// Of the instructions that have joined the first.
  bool compute_shapes_of_group(const Step& step) {
    return std::all_of(step.instructions.begin() + 1, step.instructions.end(),
                       [this](const StepInstruction& part) { return compute_shapes(part); });
  }

  void make_contiguous(BindContext::Input& input) {
    if (!input.must_be_contiguous || input.view.is_contiguous()) {
      return;
    }
    if (input.constant && environment_.packed != nullptr) {
      input.view = environment_.packed->row_major(input.view, environment_.level);
      return;
    }
    input.view = row_major_copy(input.view);
    input.constant = false;
  }

  // ---- groups and copies ----

  /// Places the results of a step's group; `product` is the result of its kernel, if it has one: the
  /// group then works in that memory as far as the sizes of elements allow.
  void place_group(const Step& step, const TensorView* product) {
    scratchpad_.views.clear();
    for (const StepInput& input : step.group_inputs) {
      scratchpad_.views.push_back(input.value >= 0 ? value(input.value) : size_as_tensor(input));
      buffers_.touch(scratchpad_.views.back());
    }
    bool in_place = product != nullptr;
    bool is_first = product == nullptr;
    for (const int index : step.group_results) {
      TensorView result = value(index);
      result.strides = product != nullptr
                           ? product->strides
                           : bind::ElementwiseGroup::strides(group_operands(step), result.shape);
      if (in_place && byte_size(result.dtype) == byte_size(product->dtype)) {
        result.data = product->data;
        in_place = false;  // one result can have that memory
      } else {
        const std::optional<int> dying =
            is_first ? buffers_.dying(result, step.group_inputs, group_operands(step))
                     : std::nullopt;
        result.data = address_of({dying ? *dying : buffers_.add(result), 0});
      }
      values_.set(index, result);
      is_first = false;
    }
    for (const int index : step.group_results) {
      scratchpad_.views.push_back(value(index));
    }
  }

  /// Of the group that was placed last.
  [[nodiscard]] std::span<const TensorView> group_operands(const Step& step) const {
    return std::span(scratchpad_.views).first(step.group_inputs.size());
  }
  [[nodiscard]] std::span<const TensorView> group_results(const Step& step) const {
    return std::span(scratchpad_.views).subspan(step.group_inputs.size());
  }

  void bind_group(const Step& step) {
    scratchpad_.call.clear();
    step.group->bind(scratchpad_.call, group_operands(step), group_results(step));
    for (const TensorView& operand : group_operands(step)) {
      note_tensor(operand, RowTensor::Use::kRead);
    }
    for (const TensorView& result : group_results(step)) {
      note_tensor(result, RowTensor::Use::kWritten);
    }
    add_call(scratchpad_.call, CallOrigin::Kind::kGroup, -1);
    if (details_ != nullptr) {
      details_->push_back(details_of_group(step, false));
    }
  }

  void leave_group_to_kernel(const Step& step) {
    scratchpad_.call.clear();
    add_call(scratchpad_.call, CallOrigin::Kind::kGroup, -1);
    if (details_ != nullptr) {
      details_->push_back(details_of_group(step, true));
    }
  }

  [[nodiscard]] CallDetails details_of_group(const Step& step, bool taken) const {
    const auto operands = group_operands(step);
    const auto results = group_results(step);
    return {step_,
            taken,
            nullptr,
            {operands.begin(), operands.end()},
            {results.begin(), results.end()}};
  }

  TensorView row_major_copy(const TensorView& source) {
    TensorView target = contiguous_view(nullptr, source.dtype, source.shape);
    target.data = address_of({buffers_.add(target), 0});
    add_copy(source, target);
    return target;
  }

  void add_copy(const TensorView& source, const TensorView& target) {
    buffers_.touch(source);
    note_tensor(source, RowTensor::Use::kRead);
    note_tensor(target, RowTensor::Use::kWritten);
    scratchpad_.call.clear();
    if (target.element_count() > 0) {
      scratchpad_.call.set(&kernels::copy_strided, kernels::copy_arguments(source, target));
    }
    add_call(scratchpad_.call, CallOrigin::Kind::kCopy, -1);
    if (details_ != nullptr) {
      details_->push_back({step_, false, nullptr, {source}, {target}});
    }
  }

  // ---- calls ----

  /// Of the call that comes next.
  void note_tensors(BindContext& context) {
    BindContextFiller filler(context);
    for (const BindContext::Input& input : filler.inputs()) {
      note_tensor(input.view, RowTensor::Use::kRead);
    }
    for (const BindContext::Output& output : filler.outputs()) {
      if (output.wanted) {
        note_tensor(output.view, RowTensor::Use::kWritten);
      }
    }
  }
  void note_tensor(const TensorView& view, RowTensor::Use use) {
    if (buffers_.runs_together()) {
      const std::optional<Place> place = place_at(view.data);
      scratchpad_.row_tensors.push_back({run_.calls.size(),
                                         place ? address_of({place->buffer, 0}) : view.data,
                                         RunBuffers::bytes_of(view), use});
    }
  }

  void add_call(const kernels::KernelCall& call, CallOrigin::Kind kind, int scratch) {
    const std::size_t position = run_.calls.append(call);
    run_.call_information.push_back({{step_, kind}, scratch, -1});
    run_.calls.each_address(position, [&](std::size_t at, const void* address) {
      if (const std::optional<Place> place = place_at(address)) {
        scratchpad_.addresses.push_back({at, *place});
      }
    });
  }

  /// The call that was added last has to be bound in each run.
  void add_rebinding() {
    run_.call_information.back().rebinding = static_cast<int>(run_.rebindings.size());
    Rebinding& rebinding = run_.rebindings.emplace_back();
    rebinding.call = run_.calls.size() - 1;
    rebinding.context = std::move(scratchpad_.context);
    BindContextFiller filler(*rebinding.context);
    for (const BindContext::Input& input : filler.inputs()) {
      rebinding.inputs.push_back(input.view.data);
    }
    for (const BindContext::Output& output : filler.outputs()) {
      rebinding.outputs.push_back(output.view.data);
    }
  }

  /// The buffer of an input in which the first result of a kernel may lie.
  [[nodiscard]] std::optional<int> dying_input(const Step& step, const StepInstruction& part,
                                               BindContext& context) {
    const std::span<const StepInput> lending = lenders(step, part);
    if (std::none_of(lending.begin(), lending.end(),
                     [](const StepInput& input) { return input.dies; })) {
      return std::nullopt;
    }
    BindContextFiller filler(context);
    scratchpad_.views.clear();
    for (const BindContext::Input& input : filler.inputs()) {
      scratchpad_.views.push_back(input.view);
    }
    return buffers_.dying(filler.outputs().front().view, lending, scratchpad_.views);
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

  // ---- live-outs ----

  /// Outputs belong to the caller, who may write to them: each is row-major in memory of its own.
  BoundOutput program_output(int index) {
    const TensorView view = value(plan_.live_outs[static_cast<std::size_t>(index)].value);
    const std::optional<Place> place = place_at(view.data);
    if (place && place->offset == 0 && view.is_contiguous()) {
      const Buffer& buffer = buffers_.at(place->buffer);
      if (buffer.kind == Buffer::Kind::kArena && buffer.bytes == RunBuffers::bytes_of(view)) {
        buffers_.hand_out(place->buffer, index);
        return {view, -1, 0};
      }
    }
    return copied_output(view, index);
  }

  BoundOutput register_output(int index) {
    const LiveOut& out = plan_.live_outs[static_cast<std::size_t>(index)];
    if (out.kind == LiveOut::Kind::kSizeRegister) {
      return {{}, -1, plan_.live_out_sizes[static_cast<std::size_t>(index)].value(run_.slots)};
    }
    const TensorView view = value(out.value);
    const std::optional<Place> place = place_at(view.data);
    if (!place) {
      const int constant = constant_with(view.data);
      return constant >= 0 ? BoundOutput{view, constant, 0}
                           : copied_output(view, index);  // a number that stands as a tensor
    }
    if (buffers_.at(place->buffer).kind == Buffer::Kind::kArena) {
      buffers_.hand_out(place->buffer, index);
    }
    return {view, -1, 0};
  }

  /// The constant whose memory holds an address, or -1.
  [[nodiscard]] int constant_with(const void* address) const {
    for (std::size_t i = 0; i < plan_.constants.size(); ++i) {
      const StoredTensor& constant = plan_.constants[i];
      const auto* const begin = static_cast<const std::byte*>(constant.view.data);
      const auto* const at = static_cast<const std::byte*>(address);
      if (at >= begin &&
          at < begin + std::max<std::size_t>(RunBuffers::bytes_of(constant.view), 1)) {
        return static_cast<int>(i);
      }
    }
    return -1;
  }

  BoundOutput copied_output(const TensorView& source, int index) {
    const TensorView copy = row_major_copy(source);
    buffers_.hand_out(place_at(copy.data)->buffer, index);
    return {copy, -1, 0};
  }

  const Plan& plan_;
  const Environment& environment_;
  Scratchpad& scratchpad_;
  LaidOutValues& values_;
  BoundRun& run_;
  RunBuffers buffers_;
  RepeatedSteps repeated_steps_;
  std::vector<CallDetails>* const details_;
  int step_ = 0;
};

}  // namespace

DeclineReason lay_out(const Plan& plan, shapes::Signature signature,
                      std::span<const TensorView> live_ins, const Environment& environment,
                      Scratchpad& scratchpad, BoundRun& run, std::vector<CallDetails>* details) {
  return LayOut(plan, environment, scratchpad, run, details).lay_out(signature, live_ins);
}

}  // namespace pliant::plan
