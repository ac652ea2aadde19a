#include "interp/binding.h"

#include "interp/materialise.h"
#include "isa/info.h"
#include "tensor/element_values.h"

namespace pliant::interp {
namespace {

using bind::BindContextFiller;
using isa::Form;

void add_tensor(Run& run, const TensorSource& source, std::size_t position,
                BindContextFiller& filler) {
  Frame& frame = run.frame;
  switch (source.kind) {
    case TensorSource::Kind::kRegister: {
      const TensorRegister& entry = frame.tensor(source.index);
      filler.add_input(source.operand, entry.value.view, entry.fixed);
      return;
    }
    case TensorSource::Kind::kConstant:
      filler.add_input(source.operand, run.program.constant(source.index).view, true);
      return;
    case TensorSource::Kind::kSize:
    case TensorSource::Kind::kSymbol:
      frame.scalars[position] = scalar_value(run, source);
      filler.add_input(source.operand, contiguous_view(&frame.scalars[position], DType::kI64, {}),
                       false);
      return;
  }
}

/// The tensor that gives an operand's list of numbers, or null when the instruction lists them.
const TensorView* list_tensor(const Run& run, const isa::Operand& operand) {
  if (operand.form == Form::kConstant) {
    return &run.program.constant(static_cast<int>(operand.number)).view;
  }
  const bool tensor =
      operand.form == Form::kRegister &&
      run.program.program().registers[static_cast<std::size_t>(operand.number)].kind ==
          RegisterKind::kTensor;
  return tensor ? &run.frame.tensor(static_cast<int>(operand.number)).value.view : nullptr;
}

std::int64_t number_value(const Run& run, const isa::Operand& operand) {
  const auto index = static_cast<std::size_t>(operand.number);
  switch (operand.form) {
    case Form::kRegister:
      return run.frame.sizes[index];
    case Form::kSymbol:
      return run.frame.symbols[index];
    default:
      return operand.number;
  }
}

Error too_long(const Step& step, int position, std::int64_t count) {
  const isa::InstructionInfo& row = isa::info(step.instruction->opcode);
  return make_error(ErrorCode::kResourceExhausted, "{}: operand {} has more than {} elements: {}",
                    row.mnemonic, row.operands[static_cast<std::size_t>(position)].field,
                    KnownValues::kMaxElements, count);
}

Status add_size_list(Run& run, const Step& step, int position, BindContextFiller& filler) {
  const isa::Operand& operand = step.instruction->operands[static_cast<std::size_t>(position)];
  std::vector<std::int64_t>& values = run.frame.integers;
  values.clear();
  if (operand.form == Form::kList) {
    for (const isa::Operand& item : operand.list) {
      values.push_back(number_value(run, item));
    }
  } else if (const TensorView* tensor = list_tensor(run, operand)) {
    if (tensor->element_count() > KnownValues::kMaxElements) {
      return too_long(step, position, tensor->element_count());
    }
    for_each_integer(*tensor, [&](std::int64_t value) { values.push_back(value); });
  } else {
    values.push_back(number_value(run, operand));
  }
  filler.add_sizes(position, values);
  return {};
}

Status add_number_list(Run& run, const Step& step, int position, BindContextFiller& filler) {
  const isa::Operand& operand = step.instruction->operands[static_cast<std::size_t>(position)];
  std::vector<double>& values = run.frame.reals;
  values.clear();
  if (const TensorView* tensor = list_tensor(run, operand)) {
    if (tensor->element_count() > KnownValues::kMaxElements) {
      return too_long(step, position, tensor->element_count());
    }
    for_each_real(*tensor, [&](double value) { values.push_back(value); });
  } else {
    for (const isa::Operand& item : operand.list) {
      values.push_back(item.form == Form::kReal ? item.real : static_cast<double>(item.number));
    }
  }
  filler.add_numbers(position, values);
  return {};
}

/// The shape that a rule gave a result, now that all extents are numbers.
Result<Shape> shape_of(const semantics::TensorFacts& facts, const Step& step) {
  Shape shape;
  bool known = facts.rank_known;
  for (const semantics::Extent& extent : facts.shape) {
    known = known && extent.is_number();
    shape.push_back(extent.number());
  }
  if (!known) {
    return make_error(ErrorCode::kUnsupported, "{}: the shape of a result could not be found",
                      isa::info(step.instruction->opcode).mnemonic);
  }
  if (!checked_element_count(shape)) {
    return make_error(ErrorCode::kResourceExhausted,
                      "{}: the element count of the result overflows: {}",
                      isa::info(step.instruction->opcode).mnemonic, to_string(shape));
  }
  return shape;
}

}  // namespace

Status gather_operands(Run& run, const Step& step) {
  BindContextFiller filler(run.frame.context);
  const Environment& environment = run.environment;
  filler.begin(*step.instruction, environment.level, environment.parallel.worker_count(),
               environment.packed);
  filler.set_numbers(run.number, static_cast<std::uint64_t>(&step - run.program.steps().data()));
  std::size_t position = 0;
  for (const TensorSource& source : run.program.sources(step)) {
    add_tensor(run, source, position++, filler);
  }
  for (const int operand : run.program.operands(step.sizes)) {
    PLIANT_RETURN_IF_ERROR(add_size_list(run, step, operand, filler));
  }
  for (const int operand : run.program.operands(step.numbers)) {
    PLIANT_RETURN_IF_ERROR(add_number_list(run, step, operand, filler));
  }
  return {};
}

Status infer_results(Run& run, const Step& step) {
  semantics::InferenceContext& inference = run.frame.inference(*step.instruction);
  PLIANT_RETURN_IF_ERROR(inference.infer());
  BindContextFiller filler(run.frame.context);
  for (const TensorTarget& target : run.program.targets(step)) {
    const bool wanted = target.wanted;
    const semantics::TensorFacts& facts = inference.result(target.operand, target.part);
    if (!wanted && !facts.rank_known) {  // an optional result that was not asked for
      filler.add_output(target.operand, facts.dtype, {}, false);
      continue;
    }
    PLIANT_ASSIGN_OR_RETURN(const Shape shape, shape_of(facts, step));
    filler.add_output(target.operand, facts.dtype, shape, wanted);
  }
  return {};
}

Status make_contiguous(Run& run, bind::BindContext::Input& input) {
  if (input.constant && run.environment.packed != nullptr) {
    input.view = run.environment.packed->row_major(input.view, run.environment.level);
    return {};
  }
  PLIANT_ASSIGN_OR_RETURN(StoredTensor copy, copy_to_row_major(run, input.view));
  input.view = copy.view;
  input.constant = false;
  run.frame.copies.push_back(std::move(copy.storage));
  return {};
}

}  // namespace pliant::interp
