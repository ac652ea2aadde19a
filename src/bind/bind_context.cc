#include "bind/bind_context.h"

#include <algorithm>

namespace pliant::bind {

std::span<const BindContext::Input> BindContext::inputs(int operand) const {
  const Slot slot = tensor_slots_[static_cast<std::size_t>(operand)];
  PLIANT_CHECK_LE(0, slot.first);
  return std::span(inputs_).subspan(static_cast<std::size_t>(slot.first),
                                    static_cast<std::size_t>(slot.count));
}

std::span<const BindContext::Output> BindContext::outputs(int operand) const {
  const Slot slot = tensor_slots_[static_cast<std::size_t>(operand)];
  PLIANT_CHECK_LE(0, slot.first);
  return std::span(outputs_).subspan(static_cast<std::size_t>(slot.first),
                                     static_cast<std::size_t>(slot.count));
}

std::vector<std::int64_t> BindContext::integers(int operand) const {
  std::vector<std::int64_t> values;
  for (const isa::Operand& item : this->operand(operand).list) {
    values.push_back(item.number);
  }
  return values;
}

std::span<const std::int64_t> BindContext::sizes(int operand) const {
  const Slot slot = value_slots_[static_cast<std::size_t>(operand)];
  if (slot.first < 0) {
    return {};
  }
  return std::span(sizes_).subspan(static_cast<std::size_t>(slot.first),
                                   static_cast<std::size_t>(slot.count));
}

std::span<const double> BindContext::numbers(int operand) const {
  const Slot slot = value_slots_[static_cast<std::size_t>(operand)];
  if (slot.first < 0) {
    return {};
  }
  return std::span(numbers_).subspan(static_cast<std::size_t>(slot.first),
                                     static_cast<std::size_t>(slot.count));
}

void BindContext::require_contiguous(int operand) {
  const Slot slot = tensor_slots_[static_cast<std::size_t>(operand)];
  for (int i = 0; i < slot.count; ++i) {
    inputs_[static_cast<std::size_t>(slot.first + i)].must_be_contiguous = true;
  }
}

void BindContext::set_strides(int output_operand, const Strides& strides, int part) {
  const Slot slot = tensor_slots_[static_cast<std::size_t>(output_operand)];
  PLIANT_CHECK_LT(part, slot.count);
  outputs_[static_cast<std::size_t>(slot.first + part)].view.strides = strides;
}

void BindContext::set_scratch_bytes(std::size_t bytes) {
  scratch_bytes_ = std::max(scratch_bytes_, bytes);
}

const std::byte* BindContext::packed(int operand, std::string_view format, std::size_t bytes,
                                     FunctionRef<void(std::byte*)> fill) {
  if (packed_ == nullptr || !is_constant(operand)) {
    return nullptr;
  }
  return packed_->find_or_make(input(operand), format, bytes, fill);
}

void BindContext::set_view(int output_operand, const Strides& strides, std::int64_t offset_elements,
                           int part) {
  const Slot slot = tensor_slots_[static_cast<std::size_t>(output_operand)];
  PLIANT_CHECK_LT(part, slot.count);
  TensorView& view = outputs_[static_cast<std::size_t>(slot.first + part)].view;
  view.strides = strides;
  // View rows have one tensor input; an empty tensor may have no memory at all.
  const TensorView& source = inputs_[0].view;
  view.data = source.data == nullptr
                  ? nullptr
                  : static_cast<std::byte*>(source.data) +
                        offset_elements * static_cast<std::int64_t>(byte_size(view.dtype));
}

void BindContextFiller::begin(const isa::Instruction& instruction, CpuLevel level, int worker_count,
                              PackedConstants* packed) {
  context_.instruction_ = &instruction;
  const std::size_t count = instruction.operands.size();
  context_.tensor_slots_.clear();
  context_.tensor_slots_.resize(count);
  context_.value_slots_.clear();
  context_.value_slots_.resize(count);
  context_.inputs_.clear();
  context_.outputs_.clear();
  context_.sizes_.clear();
  context_.numbers_.clear();
  context_.scratch_bytes_ = 0;
  context_.level_ = level;
  context_.worker_count_ = worker_count;
  context_.packed_ = packed;
  context_.epilogue_ = nullptr;
  context_.epilogue_taken_ = false;
  context_.call.clear();
}

void BindContextFiller::set_numbers(std::uint64_t run, std::uint64_t instruction) {
  context_.run_number_ = run;
  context_.instruction_number_ = instruction;
}

void BindContextFiller::add_input(int operand, const TensorView& view, bool constant) {
  auto& slot = context_.tensor_slots_[static_cast<std::size_t>(operand)];
  if (slot.first < 0) {
    slot.first = static_cast<int>(context_.inputs_.size());
  }
  ++slot.count;
  context_.inputs_.push_back({view, constant, false});
}

void BindContextFiller::add_output(int operand, DType dtype, const Shape& shape, bool wanted) {
  auto& slot = context_.tensor_slots_[static_cast<std::size_t>(operand)];
  if (slot.first < 0) {
    slot.first = static_cast<int>(context_.outputs_.size());
  }
  ++slot.count;
  context_.outputs_.push_back({contiguous_view(nullptr, dtype, shape), wanted});
}

void BindContextFiller::add_sizes(int operand, std::span<const std::int64_t> values) {
  auto& slot = context_.value_slots_[static_cast<std::size_t>(operand)];
  slot = {static_cast<int>(context_.sizes_.size()), static_cast<int>(values.size())};
  context_.sizes_.insert(context_.sizes_.end(), values.begin(), values.end());
}

void BindContextFiller::add_numbers(int operand, std::span<const double> values) {
  auto& slot = context_.value_slots_[static_cast<std::size_t>(operand)];
  slot = {static_cast<int>(context_.numbers_.size()), static_cast<int>(values.size())};
  context_.numbers_.insert(context_.numbers_.end(), values.begin(), values.end());
}

}  // namespace pliant::bind
