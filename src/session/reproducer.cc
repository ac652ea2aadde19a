#include "session/reproducer.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "bytecode/writer.h"
#include "plan/printer.h"
#include "tensor/dtype.h"

namespace pliant::session {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const fs::path& path, const std::string& words) {
  return make_error(ErrorCode::kIo, "cannot write '{}': {}", path.string(), words);
}

const char* numpy_code(DType dtype) {
  switch (dtype) {
#define PLIANT_DTYPE(Name, text, Type, bytes, code, ...) \
  case DType::k##Name:                                   \
    return code;
#include <pliant/dtypes.def>
  }
  return "";
}

Status write_bytes(const fs::path& path, std::string_view head, std::string_view body) {
  std::ofstream file(path, std::ios::binary);
  file.write(head.data(), static_cast<std::streamsize>(head.size()));
  file.write(body.data(), static_cast<std::streamsize>(body.size()));
  file.close();
  if (!file) {
    return cannot_write(path, "the system refused");
  }
  return {};
}

/// NumPy's format, version 1.0: magic, length of the header, header padded to 64 bytes, elements.
Status write_npy(const fs::path& path, const TensorView& view) {
  std::string shape;
  for (const std::int64_t extent : view.shape) {
    shape += fmt::format("{},", extent);
  }
  const char order = byte_size(view.dtype) == 1 ? '|' : '<';
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                   order, numpy_code(view.dtype), shape);
  constexpr std::size_t kPrefix = 10;
  header.append(63 - (kPrefix + header.size()) % 64, ' ');
  header += '\n';
  std::string prefix = "\x93NUMPY\x01";
  prefix += '\0';
  prefix += static_cast<char>(header.size() & 0xffU);
  prefix += static_cast<char>(header.size() >> 8U);
  return write_bytes(path, prefix + header,
                     {static_cast<const char*>(view.data),
                      static_cast<std::size_t>(view.element_count()) * byte_size(view.dtype)});
}

/// A folder that nobody has used before.
Result<fs::path> new_folder(const fs::path& parent) {
  constexpr int kMost = 1000;
  for (int i = 0; i < kMost; ++i) {
    const fs::path folder = parent / fmt::format("mismatch-{}", i);
    std::error_code error;
    if (fs::create_directory(folder, error)) {
      return folder;
    }
    if (error) {
      return cannot_write(folder, error.message());
    }
  }
  return cannot_write(parent, "it holds a thousand reproducers already");
}

}  // namespace

Result<std::string> write_reproducer(const std::string& parent, const Segment& segment,
                                     const plan::Plan& plan, const CheckInputs& inputs,
                                     std::string_view difference) {
  const plan::Graph& graph = segment.compiled().graph;
  const Program& program = *graph.program;
  PLIANT_ASSIGN_OR_RETURN(const fs::path folder, new_folder(parent));
  PLIANT_RETURN_IF_ERROR(bytecode::write_file(program, (folder / "program.pbc").string(),
                                              bytecode::Existing::kRefuse));
  std::string text = fmt::format("{}\n\nprogram: {}\ninstructions: {}..{}\n", difference,
                                 program.source, graph.first, graph.end);
  for (std::size_t i = 0; i < inputs.signature.size(); ++i) {
    text += fmt::format("{}: {}\n", graph.entries[i].name, inputs.signature[i]);
  }
  for (std::size_t i = 0; i < inputs.inputs.size(); ++i) {
    const std::string file = fmt::format("input-{}.npy", i);
    text += fmt::format("{}: input '{}'\n", file, program.inputs[i].name);
    PLIANT_RETURN_IF_ERROR(write_npy(folder / file, inputs.inputs[i].view));
  }
  for (std::size_t i = 0; i < inputs.live_ins.size(); ++i) {
    if (graph.live_ins[i].kind == plan::LiveIn::Kind::kRegister) {
      const std::string file = fmt::format("register-{}.npy", graph.live_ins[i].index);
      text += fmt::format("{}: register r{}\n", file, graph.live_ins[i].index);
      PLIANT_RETURN_IF_ERROR(write_npy(folder / file, inputs.live_ins[i].view));
    }
  }
  text += "\n" + plan::print(plan);
  PLIANT_RETURN_IF_ERROR(write_bytes(folder / "description.txt", text, ""));
  return folder.string();
}

}  // namespace pliant::session
