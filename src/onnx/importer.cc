#include "onnx/importer.h"

#include <google/protobuf/io/coded_stream.h>

#include <cstdint>
#include <utility>

#include "onnx/external_data.h"
#include "onnx/function_library.h"
#include "onnx/graph_importer.h"
#include "onnx/mapped_file.h"
#include "onnx/onnx.pb.h"

namespace pliant::onnx {
namespace {

/// Messages inside messages; graphs inside nodes use three levels each, so this allows 64 of them.
constexpr int kMaxMessageNesting = 200;

Result<Program> import_model(std::string_view bytes, const std::string& name,
                             ExternalData external) {
  if (bytes.size() > INT32_MAX) {
    return make_error(ErrorCode::kUnsupported,
                      "a model file is larger than 2 GiB; keep its weights in external data files");
  }
  proto::Model model;
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                                static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(kMaxMessageNesting);
  if (!model.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage() ||
      !model.has_graph()) {
    return make_error(ErrorCode::kCorrupt, "not an ONNX model, or a damaged one");
  }
  PLIANT_ASSIGN_OR_RETURN(FunctionLibrary functions, FunctionLibrary::create(model));
  return GraphImporter(model, std::move(functions), std::move(external), name).run();
}

Error with_place(Error error, const std::string& name) {
  error.where = error.where.empty() ? name : fmt::format("{}: {}", name, error.where);
  return error;
}

}  // namespace

Result<Program> import_file(const std::string& path) {
  PLIANT_ASSIGN_OR_RETURN(const auto file, MappedFile::open(path));
  const std::string_view bytes(static_cast<const char*>(file->data()), file->byte_size());
  auto program = import_model(bytes, path, ExternalData(path));
  if (!program) {
    return with_place(std::move(program.error()), path);
  }
  return program;
}

Result<Program> import_bytes(std::string_view bytes, const std::string& name) {
  auto program = import_model(bytes, name, ExternalData());
  if (!program) {
    return with_place(std::move(program.error()), name);
  }
  return program;
}

}  // namespace pliant::onnx
