#include "support/one_instruction.h"

#include <cstring>

#include "bind/operator.h"
#include "program/program.h"
#include "semantics/inference_context.h"

namespace pliant::testing {
namespace {

using isa::Form;
using isa::OperandKind;

SerialFor serial;

std::vector<std::int64_t> whole_numbers(const TensorView& view) {
  return visit_dtype(view.dtype, [&](auto zero) {
    using T = decltype(zero);
    std::vector<std::int64_t> values;
    if constexpr (std::is_integral_v<T>) {
      for (const T value : values_of<T>(view)) {
        values.push_back(static_cast<std::int64_t>(value));
      }
    }
    return values;
  });
}

std::vector<double> decimal_numbers(const TensorView& view) {
  std::vector<double> values;
  if (view.dtype == DType::kF32) {
    for (const float value : values_of<float>(view)) {
      values.push_back(static_cast<double>(value));
    }
  } else if (view.dtype == DType::kF64) {
    values = values_of<double>(view);
  }
  return values;
}

/// Everything is known: registers hold tensors with values.
class RunTimeKnowledge final : public semantics::Knowledge {
 public:
  explicit RunTimeKnowledge(const std::vector<StoredTensor>& values) : values_(values) {}

  semantics::TensorFacts tensor(const isa::Operand& operand) const override {
    return semantics::facts_of(values_[static_cast<std::size_t>(operand.number)].view);
  }
  semantics::Extent size(const isa::Operand& operand) const override { return operand.number; }
  std::optional<semantics::ExtentList> integers(const isa::Operand& operand) const override {
    const TensorView& view = values_[static_cast<std::size_t>(operand.number)].view;
    if (!is_integer(view.dtype)) {
      return std::nullopt;
    }
    const auto numbers = whole_numbers(view);
    return semantics::ExtentList(numbers.begin(), numbers.end());
  }
  std::optional<std::vector<double>> reals(const isa::Operand& operand) const override {
    const TensorView& view = values_[static_cast<std::size_t>(operand.number)].view;
    return is_float(view.dtype) ? std::optional(decimal_numbers(view)) : std::nullopt;
  }
  semantics::Extent unknown_extent() override { return 0; }
  semantics::Extent measured(int which) override { return counts[static_cast<std::size_t>(which)]; }

  std::array<std::int64_t, 4> counts{};

 private:
  const std::vector<StoredTensor>& values_;
};

void copy_elements(const TensorView& from, const TensorView& to) {
  const std::size_t bytes = byte_size(from.dtype);
  const std::int64_t count = from.element_count();
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i;
    std::int64_t source = 0;
    std::int64_t target = 0;
    for (std::size_t axis = from.shape.size(); axis-- > 0;) {
      const std::int64_t index = rest % from.shape[axis];
      source += index * from.strides[axis];
      target += index * to.strides[axis];
      rest /= from.shape[axis];
    }
    std::memcpy(
        static_cast<std::byte*>(to.data) + target * static_cast<std::int64_t>(bytes),
        static_cast<const std::byte*>(from.data) + source * static_cast<std::int64_t>(bytes),
        bytes);
  }
}

StoredTensor contiguous_copy(const TensorView& view) {
  StoredTensor copy = new_tensor(view.dtype, view.shape);
  copy_elements(view, copy.view);
  return copy;
}

Shape numbers_of(const semantics::ExtentShape& extents) {
  Shape shape;
  for (const semantics::Extent& extent : extents) {
    PLIANT_CHECK(extent.is_number());
    shape.push_back(extent.number());
  }
  return shape;
}

}  // namespace

StoredTensor new_tensor(DType dtype, const Shape& shape) {
  return make_constant(dtype, shape);
}

StoredTensor random_tensor(const Shape& shape, std::uint64_t seed) {
  StoredTensor tensor = new_tensor(DType::kF32, shape);
  fill_seeded(TensorView{tensor.view.data, DType::kF32, {tensor.view.element_count()}, {1}}, seed);
  return tensor;
}

StoredTensor with_memory_order(const StoredTensor& tensor, std::span<const int> order) {
  StoredTensor result = new_tensor(tensor.view.dtype, tensor.view.shape);
  result.view.strides = permuted_strides(tensor.view.shape, order);
  copy_elements(tensor.view, result.view);
  return result;
}

OneInstruction::OneInstruction(isa::Opcode opcode) : level_(detected_cpu_level()) {
  instruction_.opcode = opcode;
  for (const isa::OperandInfo& row : isa::info(opcode).operands) {
    isa::Operand operand;
    operand.form = row.default_value.form;
    operand.number = row.default_value.number;
    operand.real = row.default_value.real;
    if (row.kind == OperandKind::kTensorDef && row.is_positional()) {
      operand.form = Form::kRegister;
    }
    instruction_.operands.push_back(operand);
  }
}

int OneInstruction::position(std::string_view field) const {
  const int index = isa::operand_index(isa::info(instruction_.opcode), field);
  PLIANT_CHECK_LE(0, index);
  return index;
}

OneInstruction& OneInstruction::tensor(std::string_view field, StoredTensor value) {
  instruction_.operands[static_cast<std::size_t>(position(field))] =
      isa::reg(static_cast<std::int64_t>(values_.size()));
  values_.push_back(std::move(value));
  return *this;
}

OneInstruction& OneInstruction::tensors(std::string_view field, std::vector<StoredTensor> values) {
  std::vector<isa::Operand> items;
  for (StoredTensor& value : values) {
    items.push_back(isa::reg(static_cast<std::int64_t>(values_.size())));
    values_.push_back(std::move(value));
  }
  instruction_.operands[static_cast<std::size_t>(position(field))] = isa::list(std::move(items));
  return *this;
}

OneInstruction& OneInstruction::set(std::string_view field, isa::Operand value) {
  instruction_.operands[static_cast<std::size_t>(position(field))] = std::move(value);
  return *this;
}

OneInstruction& OneInstruction::want(std::string_view field, int count) {
  const int index = position(field);
  const bool is_list =
      isa::info(instruction_.opcode).operands[static_cast<std::size_t>(index)].kind ==
      OperandKind::kTensorDefs;
  instruction_.operands[static_cast<std::size_t>(index)] =
      is_list ? isa::list(std::vector<isa::Operand>(static_cast<std::size_t>(count), isa::reg(0)))
              : isa::reg(0);
  return *this;
}

OneInstruction& OneInstruction::at_level(CpuLevel level) {
  level_ = level;
  return *this;
}

OneInstruction& OneInstruction::on(ParallelFor& parallel) {
  parallel_ = &parallel;
  return *this;
}

OneInstruction& OneInstruction::with_constants() {
  constants_ = true;
  return *this;
}

Result<std::vector<StoredTensor>> OneInstruction::operator()() {
  ParallelFor& parallel = parallel_ != nullptr ? *parallel_ : serial;
  const isa::InstructionInfo& row = isa::info(instruction_.opcode);
  const bind::Operator& op = bind::operator_of(instruction_.opcode);
  bind::PackedConstants packed;
  bind::BindContext context;
  bind::BindContextFiller filler(context);

  const auto add_operands = [&] {
    filler.begin(instruction_, level_, parallel.worker_count(), constants_ ? &packed : nullptr);
    filler.set_numbers(0, 0);
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      const isa::Operand& operand = instruction_.operands[i];
      const int index = static_cast<int>(i);
      if (!operand.given()) {
        continue;
      }
      switch (row.operands[i].kind) {
        case OperandKind::kTensorUse:
          filler.add_input(index, values_[static_cast<std::size_t>(operand.number)].view,
                           constants_);
          break;
        case OperandKind::kTensorUses:
          for (const isa::Operand& item : operand.list) {
            filler.add_input(index, values_[static_cast<std::size_t>(item.number)].view,
                             constants_);
          }
          break;
        case OperandKind::kSize:
        case OperandKind::kSizes: {
          std::vector<std::int64_t> sizes;
          if (operand.form == Form::kRegister) {
            sizes = whole_numbers(values_[static_cast<std::size_t>(operand.number)].view);
          } else if (operand.form == Form::kList) {
            for (const isa::Operand& item : operand.list) {
              sizes.push_back(item.number);
            }
          } else {
            sizes.push_back(operand.number);
          }
          filler.add_sizes(index, sizes);
          break;
        }
        case OperandKind::kNumbers: {
          std::vector<double> numbers;
          if (operand.form == Form::kRegister) {
            numbers = decimal_numbers(values_[static_cast<std::size_t>(operand.number)].view);
          } else {
            for (const isa::Operand& item : operand.list) {
              numbers.push_back(item.real);
            }
          }
          filler.add_numbers(index, numbers);
          break;
        }
        default:
          break;
      }
    }
  };
  add_operands();

  RunTimeKnowledge knowledge(values_);
  if (op.measure != nullptr) {
    op.measure(context, knowledge.counts, SerialFor());
  }
  semantics::InferenceContext inference(instruction_, knowledge);
  PLIANT_RETURN_IF_ERROR(inference.infer());

  const auto add_results = [&] {
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      if (row.operands[i].kind != OperandKind::kTensorDef &&
          row.operands[i].kind != OperandKind::kTensorDefs) {
        continue;
      }
      const isa::Operand& operand = instruction_.operands[i];
      const int count = operand.form == Form::kList ? static_cast<int>(operand.list.size()) : 1;
      for (int part = 0; part < count; ++part) {
        const semantics::TensorFacts& facts = inference.result(static_cast<int>(i), part);
        const bool wanted = operand.given();
        filler.add_output(static_cast<int>(i), facts.dtype,
                          wanted ? numbers_of(facts.shape) : Shape{}, wanted);
      }
    }
  };
  add_results();

  std::vector<StoredTensor> results;
  if (op.view != nullptr) {
    std::shared_ptr<Storage> owner = values_[0].storage;
    if (op.view(context) == bind::ViewOutcome::kNeedsContiguousInput) {
      values_[0] = contiguous_copy(values_[0].view);
      owner = values_[0].storage;
      add_operands();
      add_results();
      PLIANT_CHECK(op.view(context) == bind::ViewOutcome::kView);
    }
    for (const auto& output : filler.outputs()) {
      results.push_back({output.view, owner});
    }
    return results;
  }

  if (op.layout != nullptr) {
    op.layout(context);
  }
  for (auto& output : filler.outputs()) {
    StoredTensor result;
    if (output.wanted) {
      result = new_tensor(output.view.dtype, output.view.shape);
      output.view.data = result.view.data;
      result.view = output.view;
      results.push_back(result);
    }
  }
  std::vector<StoredTensor> copies;
  for (auto& input : filler.inputs()) {
    if (input.must_be_contiguous && !input.view.is_contiguous()) {
      copies.push_back(contiguous_copy(input.view));
      input.view = copies.back().view;
    }
  }
  op.bind(context);
  const auto scratch = make_constant_storage(filler.scratch_bytes());
  if (op.check != nullptr) {
    PLIANT_RETURN_IF_ERROR(op.check(context));
  }
  context.call(kernels::KernelContext{parallel, static_cast<std::byte*>(scratch->data()), level_});
  return results;
}

}  // namespace pliant::testing
