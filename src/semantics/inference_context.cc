#include "semantics/inference_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "semantics/rules.h"

namespace pliant::semantics {
namespace {

using isa::Form;
using isa::OperandKind;

bool is_tensor_use(OperandKind kind) {
  return kind == OperandKind::kTensorUse || kind == OperandKind::kTensorUses ||
         kind == OperandKind::kAnyUse || kind == OperandKind::kTensorAxis ||
         kind == OperandKind::kTensorElement || kind == OperandKind::kInputName ||
         kind == OperandKind::kConstantName;
}

bool is_tensor_definition(OperandKind kind) {
  return kind == OperandKind::kTensorDef || kind == OperandKind::kTensorDefs ||
         kind == OperandKind::kAnyDef;
}

/// The register behind r0.dim(1) and r0[2].
isa::Operand tensor_part(const isa::Operand& operand) {
  return operand.form == Form::kAxis || operand.form == Form::kElement ? isa::reg(operand.number)
                                                                       : operand;
}

/// What check_types() asks of the instruction table, looked up once: it runs for every instruction.
struct TypeTable {
  std::vector<std::uint16_t> allowed;  ///< by constraint: a bit for each element type
  std::vector<int> to_operand;         ///< by row: position of the operand `to`, or -1
};

const TypeTable& type_table() {
  static const TypeTable kTable = [] {
    TypeTable table;
    constexpr int kConstraintCount = 0
#define CONSTRAINT(...) +1
#include "isa/type_constraints.def"
        ;
    for (int i = 0; i < kConstraintCount; ++i) {
      std::uint16_t bits = 0;
      for (int dtype = 0; dtype < kDTypeCount; ++dtype) {
        if (isa::allows(static_cast<isa::TypeConstraint>(i), static_cast<DType>(dtype))) {
          bits = static_cast<std::uint16_t>(bits | 1u << dtype);
        }
      }
      table.allowed.push_back(bits);
    }
    for (const isa::InstructionInfo& row : isa::instructions()) {
      table.to_operand.push_back(isa::operand_index(row, "to"));
    }
    return table;
  }();
  return kTable;
}

unsigned allowed_types(const isa::OperandInfo& operand) {
  return type_table().allowed[static_cast<std::size_t>(operand.constraint)];
}

/// The element types that the type variables of one instruction stand for.
class TypeVariables {
 public:
  [[nodiscard]] std::optional<DType> find(char variable) const {
    for (const auto& [name, dtype] : bound_) {
      if (name == variable) {
        return dtype;
      }
    }
    return std::nullopt;
  }

  void bind(char variable, DType dtype) { bound_.push_back({variable, dtype}); }

 private:
  InlineVector<std::pair<char, DType>, 3> bound_;
};

/// Whether a tensor that is read has an element type that its operand takes; the first tensor of a
/// type variable binds it.
Status check_type(const isa::InstructionInfo& row, const isa::OperandInfo& operand, DType dtype,
                  TypeVariables& variables) {
  if (operand.constraint == isa::TypeConstraint::kNone) {
    return {};  // a declared input or constant: its own declaration says the type
  }
  const auto refuse = [&](std::string_view expected) {
    return make_error(ErrorCode::kVerification, "{}: operand {} has element type {}, expected {}",
                      row.mnemonic, operand.field, name(dtype), expected);
  };
  const isa::TypeConstraintInfo& constraint = isa::info(operand.constraint);
  if ((allowed_types(operand) >> static_cast<int>(dtype) & 1u) == 0) {
    return refuse(constraint.words);
  }
  if (constraint.variable == 0) {
    return {};
  }
  const auto other = variables.find(constraint.variable);
  if (!other) {
    variables.bind(constraint.variable, dtype);
  } else if (*other != dtype) {
    return refuse(name(*other));
  }
  return {};
}

/// The element type of a result that no operand `to` names: its variable's, or the only one.
DType result_type(const isa::OperandInfo& operand, const TypeVariables& variables) {
  if (const char variable = isa::info(operand.constraint).variable; variable != 0) {
    return variables.find(variable).value_or(DType::kF32);
  }
  const unsigned allowed = allowed_types(operand);
  return allowed != 0 ? static_cast<DType>(__builtin_ctz(allowed)) : DType::kF32;
}

std::optional<Extent> single(const std::optional<ExtentList>& values) {
  return values && values->size() == 1 ? std::optional((*values)[0]) : std::nullopt;
}

}  // namespace

InferenceContext::InferenceContext(const isa::Instruction& instruction, Knowledge& knowledge)
    : instruction_(&instruction), row_(&isa::info(instruction.opcode)), knowledge_(knowledge) {
  slots_.resize(row_->operands.size());
  facts_.reserve(4);
  results_.reserve(2);
}

void InferenceContext::reset(const isa::Instruction& instruction) {
  instruction_ = &instruction;
  row_ = &isa::info(instruction.opcode);
  slots_.clear();
  slots_.resize(row_->operands.size());
  facts_.clear();
  results_.clear();
  size_result_ = {};
}

const isa::Operand& InferenceContext::operand(int index) const {
  return instruction_->operands[static_cast<std::size_t>(index)];
}

InferenceContext::Slot InferenceContext::slot(int operand_index) const {
  return slots_[static_cast<std::size_t>(operand_index)];
}

Status InferenceContext::infer() {
  PLIANT_RETURN_IF_ERROR(check_types());
  return rule_of(instruction_->opcode)(*this);
}

Status InferenceContext::check_types() {
  TypeVariables variables;
  for (std::size_t i = 0; i < row_->operands.size(); ++i) {
    const isa::OperandInfo& row = row_->operands[i];
    const isa::Operand& operand = instruction_->operands[i];
    if (!is_tensor_use(row.kind) || !operand.given()) {
      continue;
    }
    const bool is_list = operand.form == Form::kList;
    const std::size_t count = is_list ? operand.list.size() : 1;
    slots_[i] = {static_cast<int>(facts_.size()), static_cast<int>(count)};
    for (std::size_t part = 0; part < count; ++part) {
      facts_.push_back(knowledge_.tensor(is_list ? operand.list[part] : tensor_part(operand)));
      PLIANT_RETURN_IF_ERROR(check_type(*row_, row, facts_.back().dtype, variables));
    }
  }
  for (std::size_t i = 0; i < row_->operands.size(); ++i) {
    const isa::OperandInfo& row = row_->operands[i];
    if (!is_tensor_definition(row.kind)) {
      continue;
    }
    const isa::Operand& operand = instruction_->operands[i];
    TensorFacts facts;
    if (row.constraint == isa::TypeConstraint::kFromTo) {
      const auto number = static_cast<std::size_t>(row_ - isa::instructions().data());
      facts.dtype = type(type_table().to_operand[number]);
    } else {
      facts.dtype = result_type(row, variables);
    }
    const std::size_t count = operand.form == Form::kList ? operand.list.size() : 1;
    slots_[i] = {static_cast<int>(results_.size()), static_cast<int>(count)};
    results_.insert(results_.end(), count, facts);
  }
  return {};
}

const TensorFacts& InferenceContext::tensor(int operand_index) const {
  PLIANT_CHECK_LE(0, slot(operand_index).first);
  return facts_[static_cast<std::size_t>(slot(operand_index).first)];
}

std::span<const TensorFacts> InferenceContext::tensors(int operand_index) const {
  const Slot where = slot(operand_index);
  PLIANT_CHECK_LE(0, where.first);
  return std::span(facts_).subspan(static_cast<std::size_t>(where.first),
                                   static_cast<std::size_t>(where.count));
}

std::vector<std::int64_t> InferenceContext::integers(int operand_index) const {
  std::vector<std::int64_t> values;
  for (const isa::Operand& item : operand(operand_index).list) {
    values.push_back(item.number);
  }
  return values;
}

std::optional<ExtentList> InferenceContext::sizes(int operand_index) const {
  const isa::Operand& operand = this->operand(operand_index);
  if (operand.form != Form::kList) {
    return knowledge_.integers(operand);
  }
  ExtentList values;
  values.reserve(operand.list.size());
  for (const isa::Operand& item : operand.list) {
    values.push_back(knowledge_.size(item));
  }
  return values;
}

std::optional<std::int64_t> InferenceContext::size_count(int operand_index) const {
  const isa::Operand& operand = this->operand(operand_index);
  if (operand.form == Form::kList) {
    return static_cast<std::int64_t>(operand.list.size());
  }
  const TensorFacts facts = knowledge_.tensor(operand);
  if (facts.rank_known && facts.shape.size() == 1 && facts.shape[0].is_number()) {
    return facts.shape[0].number();
  }
  return std::nullopt;
}

std::optional<Extent> InferenceContext::size(int operand_index) const {
  const isa::Operand& operand = this->operand(operand_index);
  if (operand.form == Form::kNumber || operand.form == Form::kSymbol) {
    return knowledge_.size(operand);
  }
  return single(knowledge_.integers(operand));
}

std::optional<std::vector<double>> InferenceContext::numbers(int operand_index) const {
  const isa::Operand& operand = this->operand(operand_index);
  if (operand.form != Form::kList) {
    return knowledge_.reals(operand);
  }
  std::vector<double> values;
  for (const isa::Operand& item : operand.list) {
    values.push_back(item.real);
  }
  return values;
}

std::optional<ExtentList> InferenceContext::part_elements(int operand_index, int part) const {
  return knowledge_.integers(operand(operand_index).list[static_cast<std::size_t>(part)]);
}

std::optional<ExtentList> InferenceContext::elements(int operand_index) const {
  return knowledge_.integers(tensor_part(operand(operand_index)));
}

std::optional<Extent> InferenceContext::integer_value(int operand_index) const {
  return single(knowledge_.integers(operand(operand_index)));
}

std::optional<double> InferenceContext::real_value(int operand_index) const {
  const auto values = knowledge_.reals(operand(operand_index));
  return values && values->size() == 1 ? std::optional((*values)[0]) : std::nullopt;
}

Error InferenceContext::error(std::string message) const {
  return Error{ErrorCode::kShapeMismatch, fmt::format("{}: {}", row_->mnemonic, message), {}};
}

Status InferenceContext::require_equal(Extent a, Extent b, std::string_view what_a,
                                       std::string_view what_b) {
  if (a.is_number() && b.is_number()) {
    if (a.number() != b.number()) {
      return error(fmt::format("{} is {}, {} is {}", what_a, a.number(), what_b, b.number()));
    }
    return {};
  }
  if (!(a == b)) {
    knowledge_.note_equal(a, b);
  }
  return {};
}

Result<Extent> InferenceContext::require_broadcast(Extent a, Extent b) {
  if (a.is_number() && b.is_number() && !a.is(1) && !b.is(1) && a.number() != b.number()) {
    return error(fmt::format("extents {} and {} do not broadcast", a.number(), b.number()));
  }
  return broadcast(a, b);
}

Result<ExtentShape> InferenceContext::broadcast_shapes(const ExtentShape& a, const ExtentShape& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  ExtentShape result(rank, Extent(1));
  for (std::size_t i = 0; i < rank; ++i) {
    const Extent left = i < rank - a.size() ? Extent(1) : a[i - (rank - a.size())];
    const Extent right = i < rank - b.size() ? Extent(1) : b[i - (rank - b.size())];
    auto extent = require_broadcast(left, right);
    if (!extent) {
      return error(fmt::format("shapes {} and {} do not broadcast: {} and {}", to_string(a),
                               to_string(b), to_string(left), to_string(right)));
    }
    result[i] = *extent;
  }
  return result;
}

Result<int> InferenceContext::normalise_axis(std::int64_t axis, std::size_t rank) const {
  const auto count = static_cast<std::int64_t>(rank);
  if (rank == 0) {
    return error(fmt::format("a tensor of rank 0 has no axis {}", axis));
  }
  if (axis < -count || axis >= count) {
    return error(fmt::format("axis {} is outside -{}..{} of a tensor of rank {}", axis, rank,
                             count - 1, rank));
  }
  return static_cast<int>(axis < 0 ? axis + count : axis);
}

Result<int> InferenceContext::normalise_axis(Extent axis, std::size_t rank) const {
  if (!axis.is_number()) {
    return error(fmt::format("axis {} must be known", to_string(axis)));
  }
  return normalise_axis(axis.number(), rank);
}

Status InferenceContext::set(int operand_index, const ExtentShape& shape) {
  return set_part(operand_index, 0, shape);
}

Status InferenceContext::set_part(int operand_index, int part, const ExtentShape& shape) {
  const Slot where = slot(operand_index);
  PLIANT_CHECK_LT(part, where.count);
  for (const Extent& extent : shape) {
    if (extent.is_overflow()) {
      return Error{
          ErrorCode::kResourceExhausted,
          fmt::format("{}: an extent of the result does not fit into 64 bits", row_->mnemonic),
          {}};
    }
    if (extent.is_number() && extent.number() < 0) {
      return error(fmt::format("the result {} would have a negative extent", to_string(shape)));
    }
  }
  TensorFacts& facts = results_[static_cast<std::size_t>(where.first + part)];
  facts.rank_known = true;
  facts.shape = shape;
  return {};
}

void InferenceContext::set_rank(int operand_index, std::size_t rank) {
  ExtentShape shape;
  for (std::size_t i = 0; i < rank; ++i) {
    shape.push_back(unknown_extent());
  }
  const Slot where = slot(operand_index);
  for (int part = 0; part < where.count; ++part) {
    results_[static_cast<std::size_t>(where.first + part)].rank_known = true;
    results_[static_cast<std::size_t>(where.first + part)].shape = shape;
  }
}

void InferenceContext::set_unknown(int operand_index) {
  const Slot where = slot(operand_index);
  for (int part = 0; part < where.count; ++part) {
    results_[static_cast<std::size_t>(where.first + part)].rank_known = false;
  }
}

Status InferenceContext::set_size(int operand_index, Extent value) {
  static_cast<void>(operand_index);
  if (value.is_overflow()) {
    return Error{ErrorCode::kResourceExhausted,
                 fmt::format("{}: the result does not fit into 64 bits", row_->mnemonic),
                 {}};
  }
  size_result_ = value;
  return {};
}

void InferenceContext::set_type(int operand_index, DType dtype) {
  const Slot where = slot(operand_index);
  for (int part = 0; part < where.count; ++part) {
    results_[static_cast<std::size_t>(where.first + part)].dtype = dtype;
  }
}

const TensorFacts& InferenceContext::result(int operand_index, int part) const {
  return results_[static_cast<std::size_t>(slot(operand_index).first + part)];
}

}  // namespace pliant::semantics
