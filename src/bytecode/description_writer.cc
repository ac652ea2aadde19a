#include "bytecode/description_writer.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>
#include <utility>

#include "bytecode/byte_writer.h"
#include "bytecode/format.h"
#include "isa/info.h"
#include "tensor/dtype.h"

namespace pliant::bytecode {
namespace {

using isa::Form;
using isa::Operand;

std::uint64_t type_number(DType dtype) {
  return static_cast<std::uint64_t>(onnx_number(dtype));
}

void write_constant(ByteWriter& out, const Constant& constant, std::uint64_t offset) {
  const TensorView& view = constant.value.view;
  out.text(constant.name);
  out.number(type_number(view.dtype));
  out.count(view.shape.size());
  for (const std::int64_t extent : view.shape) {
    out.number(static_cast<std::uint64_t>(extent));
  }
  out.byte(constant.seed ? 1 : 0);
  if (constant.seed) {
    out.number(*constant.seed);
  }
  out.number(offset / kAlignment);
}

void write_input(ByteWriter& out, const InputDeclaration& input) {
  out.text(input.name);
  out.number(type_number(input.dtype));
  out.byte(input.rank_known ? 1 : 0);
  out.count(input.shape.size());
  for (const InputExtent& extent : input.shape) {
    const std::uint64_t is_symbol = extent.kind == InputExtent::Kind::kSymbol ? 1 : 0;
    out.number(static_cast<std::uint64_t>(extent.value) << 1 | is_symbol);
  }
  out.number(input.default_constant ? static_cast<std::uint64_t>(*input.default_constant) + 1 : 0);
}

void write_operand(ByteWriter& out, const Operand& operand) {
  out.byte(static_cast<std::uint8_t>(operand.form));
  switch (operand.form) {
    case Form::kAbsent:
      break;
    case Form::kNumber:
      out.signed_number(operand.number);
      break;
    case Form::kReal:
      out.real(operand.real);
      break;
    case Form::kType:
      out.number(type_number(static_cast<DType>(operand.number)));
      break;
    case Form::kList:
      out.count(operand.list.size());
      for (const Operand& item : operand.list) {
        write_operand(out, item);
      }
      break;
    case Form::kAxis:
    case Form::kElement:
      out.number(static_cast<std::uint64_t>(operand.number));
      out.signed_number(operand.detail);
      break;
    default:
      out.number(static_cast<std::uint64_t>(operand.number));
      break;
  }
}

bool is_default(const Operand& operand, const isa::Default& value) {
  return value.presence == isa::Default::Presence::kOptional && operand.form == value.form &&
         operand.number == value.number &&
         std::bit_cast<std::uint64_t>(operand.real) == std::bit_cast<std::uint64_t>(value.real);
}

/// Operands at the end that have their default are left out.
void write_instruction(ByteWriter& out, const isa::Instruction& instruction) {
  const isa::InstructionInfo& row = isa::info(instruction.opcode);
  std::size_t count = instruction.operands.size();
  while (count > 0 &&
         is_default(instruction.operands[count - 1], row.operands[count - 1].default_value)) {
    --count;
  }
  out.number(static_cast<std::uint64_t>(instruction.opcode));
  out.count(count);
  for (std::size_t i = 0; i < count; ++i) {
    write_operand(out, instruction.operands[i]);
  }
}

void write_places(ByteWriter& out, const Program& program) {
  std::string_view previous;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Place place = i < program.places.size() ? program.places[i] : Place{};
    out.number(static_cast<std::uint64_t>(std::max(place.line, 0)));
    out.number(static_cast<std::uint64_t>(std::max(place.column, 0)));
    if (place.origin.empty()) {
      out.byte(static_cast<std::uint8_t>(OriginForm::kNone));
    } else if (place.origin == previous) {
      out.byte(static_cast<std::uint8_t>(OriginForm::kSameAsBefore));
    } else {
      out.byte(static_cast<std::uint8_t>(OriginForm::kText));
      out.text(place.origin);
      previous = program.places[i].origin;
    }
  }
}

}  // namespace

DataLayout lay_out_data(const Program& program) {
  DataLayout layout;
  std::map<std::pair<const void*, std::size_t>, std::uint64_t> placed;
  for (const Constant& constant : program.constants) {
    const TensorView& view = constant.value.view;
    const std::size_t bytes =
        static_cast<std::size_t>(view.element_count()) * byte_size(view.dtype);
    if (bytes == 0) {
      layout.offsets.push_back(0);
      continue;
    }
    const auto [found, is_new] = placed.emplace(std::pair{view.data, bytes}, layout.byte_size);
    layout.offsets.push_back(found->second);
    if (is_new) {
      layout.blocks.push_back({view.as<const std::byte>(), bytes, layout.byte_size});
      layout.byte_size += round_up(bytes);
    }
  }
  return layout;
}

std::vector<std::byte> write_description(const Program& program, const DataLayout& layout) {
  ByteWriter out;
  out.text(program.source);
  out.count(program.symbols.size());
  for (const std::string& name : program.symbols) {
    out.text(name);
  }
  out.count(program.constants.size());
  for (std::size_t i = 0; i < program.constants.size(); ++i) {
    write_constant(out, program.constants[i], layout.offsets[i]);
  }
  out.count(program.inputs.size());
  for (const InputDeclaration& input : program.inputs) {
    write_input(out, input);
  }
  out.count(program.outputs.size());
  for (const OutputDeclaration& output : program.outputs) {
    out.text(output.name);
  }
  out.count(program.registers.size());
  for (const RegisterInfo& info : program.registers) {
    out.byte(static_cast<std::uint8_t>(info.kind));
  }
  out.count(program.instructions.size());
  for (const isa::Instruction& instruction : program.instructions) {
    write_instruction(out, instruction);
  }
  write_places(out, program);
  return out.bytes();
}

std::uint32_t version_of(const Program& program) {
  int version = 1;
  for (const isa::Instruction& instruction : program.instructions) {
    version = std::max(version, isa::info(instruction.opcode).since);
  }
  return static_cast<std::uint32_t>(version);
}

}  // namespace pliant::bytecode
