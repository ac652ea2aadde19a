#include "oracles/session_runs.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <pliant/session.h>

#include "bytecode/reader.h"
#include "bytecode/writer.h"
#include "isa/info.h"
#include "tensor/dtype.h"
#include "text/numbers.h"
#include "text/printer.h"

namespace pliant::fuzz {
namespace {

/// Small whole numbers of both signs: right indices now and then, and no overflow.
Tensor make_value(DType dtype, const Shape& shape, Choices& choices) {
  const std::vector<std::int64_t> extents(shape.begin(), shape.end());
  Tensor tensor = *Tensor::allocate(dtype, extents);
  auto* data = static_cast<std::byte*>(tensor.mutable_data());
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
    const auto value = static_cast<int>(choices.below(5)) - (choices.percent(30) ? 2 : 0);
    const bool is_unsigned = dtype_class(dtype) == DTypeClass::kUnsigned;
    const std::string text = dtype == DType::kBool
                                 ? (value > 1 ? "true" : "false")
                                 : fmt::format("{}", is_unsigned ? value & 3 : value);
    const bool fits =
        text::parse_element(text, dtype, data + static_cast<std::size_t>(i) * byte_size(dtype));
    static_cast<void>(fits);
  }
  return tensor;
}

/// True when both failed, or both gave the same bits.
bool same(const Result<std::vector<Tensor>>& a, const Result<std::vector<Tensor>>& b) {
  if (a.has_value() != b.has_value()) {
    return false;
  }
  for (std::size_t i = 0; a && i < a->size(); ++i) {
    const Tensor& left = (*a)[i];
    const Tensor& right = (*b)[i];
    if (left.shape() != right.shape() ||
        (left.byte_size() > 0 && std::memcmp(left.data(), right.data(), left.byte_size()) != 0)) {
      return false;
    }
  }
  return true;
}

/// What is wrong with how the tiers answer, or nothing. A plan may be refused, with the reason; what
/// it answers has to be the interpreter's answer, bit for bit.
std::string compare_tiers(Session& session, const std::vector<NamedTensor>& inputs) {
  const auto expected = session.run(inputs, {Tier::kInterpreter, nullptr});
  for (const Tier tier : {Tier::kAny, Tier::kBucketed, Tier::kExact, Tier::kAuto}) {
    const auto actual = session.run(inputs, {tier, nullptr});
    if (!actual && actual.error().code == ErrorCode::kUnsupported) {
      continue;
    }
    if (!same(actual, expected)) {
      return fmt::format("tier {} answers otherwise than the interpreter: {} and {}",
                         tier_name(tier), actual ? "values" : actual.error().to_string(),
                         expected ? "values" : expected.error().to_string());
    }
  }
  return {};
}

}  // namespace

bool has_random(const Program& program) {
  for (const isa::Instruction& instruction : program.instructions) {
    if ((isa::info(instruction.opcode).effects & isa::kRandom) != 0) {
      return true;
    }
  }
  return false;
}

std::vector<NamedTensor> make_inputs(const Program& program, const std::vector<Shape>& shapes) {
  Choices values(shapes.size());
  std::vector<NamedTensor> inputs;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    inputs.push_back(
        {program.inputs[i].name, make_value(program.inputs[i].dtype, shapes[i], values)});
  }
  return inputs;
}

SessionRuns run_in_session(const GeneratedProgram& generated) {
  SessionRuns result;
  const Program& program = generated.program;
  for (const isa::Instruction& instruction : program.instructions) {
    ++result.mnemonics[std::string(isa::info(instruction.opcode).mnemonic)];
  }
  const std::string printed = text::print(program);
  const auto complain = [&](std::string_view what) {
    result.complaint = fmt::format("{}\n{}", what, printed);
    return result;
  };
  auto bytes = std::make_shared<const std::vector<std::byte>>(bytecode::write(program));
  const auto back = bytecode::read(*bytes, bytes);
  if (!back || text::print(*back) != printed) {
    return complain("bytecode changes the program");
  }
  auto model = Model::from_assembly(printed, "generated");
  if (!model) {
    return complain(model.error().to_string());
  }
  SessionOptions options;
  options.max_bytes = std::size_t{64} << 20;  // shapes may explode; that has to end well
  options.plans.rounding_fusions = false;
  options.plans.self_check = true;
  options.plans.compiling = Compiling::kSync;
  auto session = Session::create(std::move(*model), options);
  if (!session) {
    return complain(session.error().to_string());
  }
  for (const std::vector<Shape>& shapes : generated.runs) {
    const std::vector<NamedTensor> inputs = make_inputs(program, shapes);
    const auto outputs = session->run(inputs);
    if (!outputs && outputs.error().code == ErrorCode::kInternal) {
      return complain(outputs.error().to_string());
    }
    if (!has_random(program) && !same(outputs, session->run(inputs))) {
      return complain("two runs on the same inputs differ");
    }
    if (!has_random(program)) {
      if (const std::string difference = compare_tiers(*session, inputs); !difference.empty()) {
        return complain(difference);
      }
    }
    result.finished += outputs ? 1 : 0;
    result.failed += outputs ? 0 : 1;
  }
  if (session->statistics().plans.total.quarantined > 0) {
    return complain("a plan did not pass its own check");
  }
  return result;
}

}  // namespace pliant::fuzz
