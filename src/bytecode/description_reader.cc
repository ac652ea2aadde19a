#include "bytecode/description_reader.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "bytecode/format.h"
#include "isa/info.h"
#include "program/limits.h"
#include "tensor/dtype.h"

namespace pliant::bytecode {
namespace {

constexpr std::size_t kMaxOriginBytes = std::size_t{1} << 28;

/// Kernels read bool elements as C++ bools, for which other bytes are undefined.
bool holds_only_bools(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](std::byte value) { return value <= std::byte{1}; });
}

using isa::Form;
using isa::Operand;

class DescriptionReader {
 public:
  DescriptionReader(ByteReader in, std::span<const std::byte> data,
                    std::shared_ptr<const void> owner)
      : in_(in), data_(data), owner_(std::move(owner)) {}

  Result<Program> read();

 private:
  Status symbols();
  Status constants();
  Result<Constant> constant();
  Status inputs();
  Result<InputDeclaration> input();
  Status outputs();
  Status registers();
  Status instructions();
  Result<isa::Instruction> instruction();
  enum class Nesting { kOperand, kItem };
  Result<Operand> operand(Nesting nesting);
  Status places();
  Result<DType> dtype();
  Result<bool> flag();
  /// The bytes of a constant, in place where they are aligned.
  StoredTensor values(DType dtype, const Shape& shape, std::size_t offset, std::size_t byte_size);

  ByteReader in_;
  std::span<const std::byte> data_;
  std::shared_ptr<const void> owner_;
  Program program_;
  std::int64_t operand_count_ = 0;
};

Result<Program> DescriptionReader::read() {
  PLIANT_ASSIGN_OR_RETURN(program_.source, in_.text());
  PLIANT_RETURN_IF_ERROR(symbols());
  PLIANT_RETURN_IF_ERROR(constants());
  PLIANT_RETURN_IF_ERROR(inputs());
  PLIANT_RETURN_IF_ERROR(outputs());
  PLIANT_RETURN_IF_ERROR(registers());
  PLIANT_RETURN_IF_ERROR(instructions());
  PLIANT_RETURN_IF_ERROR(places());
  if (in_.remaining() > 0) {
    return in_.error("bytes follow the end of the description");
  }
  return std::move(program_);
}

Status DescriptionReader::symbols() {
  PLIANT_ASSIGN_OR_RETURN(const std::size_t count, in_.count(kMaxDeclarations, "symbols"));
  for (std::size_t i = 0; i < count; ++i) {
    PLIANT_ASSIGN_OR_RETURN(std::string name, in_.text());
    program_.symbols.push_back(std::move(name));
  }
  return {};
}

Status DescriptionReader::constants() {
  PLIANT_ASSIGN_OR_RETURN(const std::size_t count, in_.count(kMaxConstants, "constants"));
  for (std::size_t i = 0; i < count; ++i) {
    PLIANT_ASSIGN_OR_RETURN(Constant read, constant());
    program_.constants.push_back(std::move(read));
  }
  return {};
}

Result<Constant> DescriptionReader::constant() {
  Constant result;
  PLIANT_ASSIGN_OR_RETURN(result.name, in_.text());
  PLIANT_ASSIGN_OR_RETURN(const DType type, dtype());
  PLIANT_ASSIGN_OR_RETURN(const std::int64_t rank, in_.index(kMaxRank + 1, "rank"));
  Shape shape;
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    PLIANT_ASSIGN_OR_RETURN(const std::int64_t extent, in_.index(INT64_MAX, "extent"));
    shape.push_back(extent);
  }
  PLIANT_ASSIGN_OR_RETURN(const bool seeded, flag());
  if (seeded) {
    PLIANT_ASSIGN_OR_RETURN(result.seed, in_.number());
  }
  PLIANT_ASSIGN_OR_RETURN(const std::uint64_t block, in_.number());
  const auto count = checked_element_count(shape);
  const std::size_t element_bytes = byte_size(type);
  if (!count || block > data_.size() / kAlignment ||
      static_cast<std::uint64_t>(*count) >
          (data_.size() - static_cast<std::size_t>(block) * kAlignment) / element_bytes) {
    return in_.error(fmt::format("a constant of shape {} lies outside the file", to_string(shape)));
  }
  const std::size_t offset = static_cast<std::size_t>(block) * kAlignment;
  const std::size_t bytes = static_cast<std::size_t>(*count) * element_bytes;
  if (type == DType::kBool && !holds_only_bools(data_.subspan(offset, bytes))) {
    return in_.error("a bool constant has bytes that are neither 0 nor 1");
  }
  result.value = values(type, shape, offset, bytes);
  return result;
}

StoredTensor DescriptionReader::values(DType dtype, const Shape& shape, std::size_t offset,
                                       std::size_t byte_size) {
  const std::byte* source = data_.data() + offset;
  const auto address = reinterpret_cast<std::uintptr_t>(source);
  // Files are mapped at pages; only bytes in memory that came from elsewhere can be unaligned.
  if (byte_size > 0 && address % kAlignment != 0) {
    StoredTensor copy = make_constant(dtype, shape);
    std::memcpy(copy.view.data, source, byte_size);
    return copy;
  }
  auto storage = adopt_constant_storage(owner_, source, byte_size);
  return StoredTensor{contiguous_view(storage->data(), dtype, shape), std::move(storage)};
}

Status DescriptionReader::inputs() {
  PLIANT_ASSIGN_OR_RETURN(const std::size_t count, in_.count(kMaxDeclarations, "inputs"));
  for (std::size_t i = 0; i < count; ++i) {
    PLIANT_ASSIGN_OR_RETURN(InputDeclaration read, input());
    program_.inputs.push_back(std::move(read));
  }
  return {};
}

Result<InputDeclaration> DescriptionReader::input() {
  InputDeclaration result;
  PLIANT_ASSIGN_OR_RETURN(result.name, in_.text());
  PLIANT_ASSIGN_OR_RETURN(result.dtype, dtype());
  PLIANT_ASSIGN_OR_RETURN(result.rank_known, flag());
  PLIANT_ASSIGN_OR_RETURN(const std::int64_t rank, in_.index(kMaxRank + 1, "rank"));
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    PLIANT_ASSIGN_OR_RETURN(const std::uint64_t extent, in_.number());
    result.shape.push_back(
        {(extent & 1) != 0 ? InputExtent::Kind::kSymbol : InputExtent::Kind::kNumber,
         static_cast<std::int64_t>(extent >> 1)});
  }
  PLIANT_ASSIGN_OR_RETURN(const std::int64_t constant,
                          in_.index(program_.constants.size() + 1, "default"));
  if (constant > 0) {
    result.default_constant = static_cast<int>(constant - 1);
  }
  return result;
}

Status DescriptionReader::outputs() {
  PLIANT_ASSIGN_OR_RETURN(const std::size_t count, in_.count(kMaxDeclarations, "outputs"));
  for (std::size_t i = 0; i < count; ++i) {
    PLIANT_ASSIGN_OR_RETURN(std::string name, in_.text());
    program_.outputs.push_back({std::move(name)});
  }
  return {};
}

Status DescriptionReader::registers() {
  PLIANT_ASSIGN_OR_RETURN(const std::size_t count, in_.count(kMaxRegisters, "registers"));
  program_.registers.resize(count);
  for (RegisterInfo& info : program_.registers) {
    PLIANT_ASSIGN_OR_RETURN(const bool size, flag());
    info.kind = size ? RegisterKind::kSize : RegisterKind::kTensor;
  }
  return {};
}

Status DescriptionReader::instructions() {
  PLIANT_ASSIGN_OR_RETURN(const std::size_t count, in_.count(kMaxInstructions, "instructions"));
  program_.instructions.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    PLIANT_ASSIGN_OR_RETURN(isa::Instruction read, instruction());
    program_.instructions.push_back(std::move(read));
  }
  return {};
}

Result<isa::Instruction> DescriptionReader::instruction() {
  PLIANT_ASSIGN_OR_RETURN(const std::int64_t code, in_.index(UINT16_MAX + 1, "instruction code"));
  const int row_index = isa::row_of(static_cast<std::uint16_t>(code));
  if (row_index < 0) {
    return in_.error(fmt::format("there is no instruction with code {}", code));
  }
  const isa::InstructionInfo& row = isa::instructions()[static_cast<std::size_t>(row_index)];
  operand_count_ += static_cast<std::int64_t>(row.operands.size());
  if (operand_count_ > kMaxOperands) {
    return make_error(ErrorCode::kResourceExhausted, "a program has at most {} operands",
                      kMaxOperands);
  }
  PLIANT_ASSIGN_OR_RETURN(const std::int64_t count,
                          in_.index(row.operands.size() + 1, "operand count"));
  isa::Instruction result;
  result.opcode = row.opcode;
  result.operands.reserve(row.operands.size());
  for (std::int64_t i = 0; i < count; ++i) {
    PLIANT_ASSIGN_OR_RETURN(Operand read, operand(Nesting::kOperand));
    result.operands.push_back(std::move(read));
  }
  for (std::size_t i = result.operands.size(); i < row.operands.size(); ++i) {
    const isa::Default& value = row.operands[i].default_value;
    Operand missing;
    missing.form = value.form;
    missing.number = value.number;
    missing.real = value.real;
    result.operands.push_back(std::move(missing));
  }
  return result;
}

Result<Operand> DescriptionReader::operand(Nesting nesting) {
  PLIANT_ASSIGN_OR_RETURN(
      const std::int64_t form,
      in_.index(static_cast<std::uint64_t>(Form::kElement) + 1, "operand form"));
  Operand result;
  result.form = static_cast<Form>(form);
  switch (result.form) {
    case Form::kAbsent:
      return result;
    case Form::kNumber: {
      PLIANT_ASSIGN_OR_RETURN(result.number, in_.signed_number());
      return result;
    }
    case Form::kReal: {
      PLIANT_ASSIGN_OR_RETURN(result.real, in_.real());
      return result;
    }
    case Form::kType: {
      PLIANT_ASSIGN_OR_RETURN(const DType type, dtype());
      result.number = static_cast<std::int64_t>(type);
      return result;
    }
    case Form::kList: {
      if (nesting == Nesting::kItem) {
        return in_.error("a list lies within a list");
      }
      PLIANT_ASSIGN_OR_RETURN(const std::size_t count, in_.count(kMaxOperands, "list items"));
      operand_count_ += static_cast<std::int64_t>(count);
      if (operand_count_ > kMaxOperands) {
        return make_error(ErrorCode::kResourceExhausted, "a program has at most {} operands",
                          kMaxOperands);
      }
      result.list.reserve(count);
      for (std::size_t i = 0; i < count; ++i) {
        PLIANT_ASSIGN_OR_RETURN(Operand item, operand(Nesting::kItem));
        result.list.push_back(std::move(item));
      }
      return result;
    }
    case Form::kAxis:
    case Form::kElement: {
      PLIANT_ASSIGN_OR_RETURN(result.number, in_.index(kMaxRegisters, "register"));
      PLIANT_ASSIGN_OR_RETURN(result.detail, in_.signed_number());
      return result;
    }
    default: {
      PLIANT_ASSIGN_OR_RETURN(result.number, in_.index(INT64_MAX, "index"));
      return result;
    }
  }
}

Status DescriptionReader::places() {
  std::string previous;
  std::size_t origin_bytes = 0;
  program_.places.reserve(program_.instructions.size());
  for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
    Place place;
    PLIANT_ASSIGN_OR_RETURN(const std::int64_t line, in_.index(INT32_MAX, "line"));
    PLIANT_ASSIGN_OR_RETURN(const std::int64_t column, in_.index(INT32_MAX, "column"));
    place.line = static_cast<int>(line);
    place.column = static_cast<int>(column);
    PLIANT_ASSIGN_OR_RETURN(const std::uint8_t form, in_.byte());
    if (form == static_cast<std::uint8_t>(OriginForm::kText)) {
      PLIANT_ASSIGN_OR_RETURN(previous, in_.text());
    } else if (form > static_cast<std::uint8_t>(OriginForm::kText)) {
      return in_.error(fmt::format("an origin has an unknown form: {}", form));
    }
    if (form != static_cast<std::uint8_t>(OriginForm::kNone)) {
      // Three bytes can repeat a long text.
      origin_bytes += previous.size();
      if (origin_bytes > kMaxOriginBytes) {
        return make_error(ErrorCode::kResourceExhausted,
                          "the origins of instructions have more than {} bytes", kMaxOriginBytes);
      }
      place.origin = previous;
    }
    program_.places.push_back(std::move(place));
  }
  return {};
}

Result<DType> DescriptionReader::dtype() {
  PLIANT_ASSIGN_OR_RETURN(const std::int64_t number, in_.index(256, "element type"));
  const auto type = dtype_from_onnx(static_cast<int>(number));
  if (!type) {
    return in_.error(fmt::format("there is no element type with number {}", number));
  }
  return *type;
}

Result<bool> DescriptionReader::flag() {
  PLIANT_ASSIGN_OR_RETURN(const std::uint8_t value, in_.byte());
  if (value > 1) {
    return in_.error(fmt::format("a flag is neither 0 nor 1: {}", value));
  }
  return value == 1;
}

}  // namespace

Result<Program> read_description(ByteReader in, std::span<const std::byte> data,
                                 std::shared_ptr<const void> owner) {
  return DescriptionReader(in, data, std::move(owner)).read();
}

}  // namespace pliant::bytecode
