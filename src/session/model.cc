#include <filesystem>

#include <pliant/model.h>

#include "base/result.h"
#include "bytecode/reader.h"
#include "bytecode/writer.h"
#include "onnx/importer.h"
#include "session/model_state.h"
#include "session/text_file.h"
#include "text/assembler.h"
#include "text/printer.h"
#include "verify/verify.h"

namespace pliant {
namespace {

Result<Program> read_assembly(const std::string& path) {
  PLIANT_ASSIGN_OR_RETURN(const std::string text, session::read_text_file(path));
  Diagnostics diagnostics;
  return text::assemble(text, path, diagnostics);
}

/// What reads files with an extension.
struct FileFormat {
  std::string_view extension;
  Result<Program> (*read)(const std::string& path);
};
constexpr FileFormat kFormats[] = {
    {".onnx", onnx::import_file},
    {".pasm", read_assembly},
    {".pbc", bytecode::read_file},
};

std::vector<InputInfo> describe_inputs(const Program& program) {
  std::vector<InputInfo> inputs;
  for (const InputDeclaration& declaration : program.inputs) {
    InputInfo& input = inputs.emplace_back();
    input.name = declaration.name;
    input.dtype = declaration.dtype;
    input.rank_known = declaration.rank_known;
    input.has_default = declaration.default_constant.has_value();
    for (const InputExtent& extent : declaration.shape) {
      if (extent.kind == InputExtent::Kind::kNumber) {
        input.shape.push_back({extent.value, {}});
      } else {
        input.shape.push_back({{}, program.symbols[static_cast<std::size_t>(extent.value)]});
      }
    }
  }
  return inputs;
}

}  // namespace

Model::State::State(VerifiedProgram verified)
    : program(std::move(verified)), inputs(describe_inputs(*program)) {
  for (const OutputDeclaration& output : program->outputs) {
    outputs.push_back(output.found.value_or(OutputInfo{output.name, {}, false, {}}));
  }
  for (const Constant& constant : program->constants) {
    const TensorView& view = constant.value.view;
    constant_bytes += static_cast<std::size_t>(view.element_count()) * byte_size(view.dtype);
  }
}

Model::Model(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<Model> Model::load(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  for (const FileFormat& format : kFormats) {
    if (extension == format.extension) {
      PLIANT_ASSIGN_OR_RETURN(Program program, format.read(path));
      PLIANT_ASSIGN_OR_RETURN(VerifiedProgram verified, verify::verify(std::move(program)));
      return Model(std::make_shared<const State>(std::move(verified)));
    }
  }
  return make_error(ErrorCode::kInvalidArgument,
                    "models are .onnx, .pasm or .pbc files, this is neither: {}", path);
}

Result<Model> Model::from_onnx(std::string_view bytes) {
  PLIANT_ASSIGN_OR_RETURN(Program program, onnx::import_bytes(bytes, "model in memory"));
  PLIANT_ASSIGN_OR_RETURN(VerifiedProgram verified, verify::verify(std::move(program)));
  return Model(std::make_shared<const State>(std::move(verified)));
}

Result<Model> Model::from_assembly(std::string_view text, const std::string& name) {
  Diagnostics diagnostics;
  PLIANT_ASSIGN_OR_RETURN(Program program, text::assemble(text, name, diagnostics));
  PLIANT_ASSIGN_OR_RETURN(VerifiedProgram verified, verify::verify(std::move(program)));
  return Model(std::make_shared<const State>(std::move(verified)));
}

Status Model::save(const std::string& path, Existing existing) const {
  return bytecode::write_file(
      *state_->program, path,
      existing == Existing::kRefuse ? bytecode::Existing::kRefuse : bytecode::Existing::kReplace);
}

std::string Model::to_assembly(std::int64_t max_elements) const {
  text::PrintOptions options;
  options.max_constant_elements = max_elements;
  options.origins = true;
  return text::print(*state_->program, options);
}

const std::vector<InputInfo>& Model::inputs() const {
  return state_->inputs;
}
const std::vector<OutputInfo>& Model::outputs() const {
  return state_->outputs;
}
std::size_t Model::instruction_count() const {
  return state_->program->instructions.size();
}
std::size_t Model::constant_bytes() const {
  return state_->constant_bytes;
}

}  // namespace pliant
