// Any bytes as an ONNX model: a program that the verifier judges, or an error; never a crash.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "onnx/importer.h"
#include "verify/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto program = pliant::onnx::import_bytes(bytes, "fuzz");
  if (program) {
    (void)pliant::verify::verify(std::move(*program));
  }
  return 0;
}
