// Any text: no crash, bounded memory; what assembles goes through bytecode and text unchanged, and the
// verifier survives it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "bytecode/reader.h"
#include "bytecode/writer.h"
#include "text/assembler.h"
#include "text/printer.h"
#include "verify/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pliant;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Diagnostics diagnostics;
  auto program = text::assemble(text, "fuzz", diagnostics, {.constant_bytes = 1 << 20});
  PLIANT_CHECK(program.has_value() == diagnostics.empty());
  if (!program) {
    PLIANT_CHECK(!diagnostics.render(text).empty());
    return 0;
  }
  const std::string printed = text::print(*program);
  auto bytes = std::make_shared<const std::vector<std::byte>>(bytecode::write(*program));
  auto back = bytecode::read(*bytes, bytes);
  PLIANT_CHECK(!back.has_value() || text::print(*back) == printed);
  // What the reader refuses, the verifier has to refuse too.
  const auto verified = verify::verify(std::move(*program));
  PLIANT_CHECK(back.has_value() || !verified.has_value());
  Diagnostics none;
  const auto again = text::assemble(printed, "printed", none, {.constant_bytes = 1 << 20});
  PLIANT_CHECK(again.has_value() && text::print(*again) == printed);
  return 0;
}
