// Any bytes: no crash, bounded memory; what reads can be printed, written and verified.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "base/check.h"
#include "bytecode/format.h"
#include "bytecode/reader.h"
#include "bytecode/writer.h"
#include "text/printer.h"
#include "verify/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pliant;
  auto bytes = std::make_shared<std::vector<std::byte>>(size);
  if (size > 0) {
    std::memcpy(bytes->data(), data, size);
  }
  if (size >= sizeof(bytecode::Header)) {
    // Else every change would only be noticed by the checksum.
    std::memset(bytes->data() + offsetof(bytecode::Header, checksum), 0, sizeof(std::uint64_t));
  }
  auto program = bytecode::read(*bytes, bytes);
  if (!program) {
    PLIANT_CHECK(!program.error().message.empty());
    return 0;
  }
  const std::string printed = text::print(*program);
  const auto written = bytecode::write(*program);
  auto copy = std::make_shared<const std::vector<std::byte>>(written);
  const auto again = bytecode::read(*copy, copy);
  PLIANT_CHECK(again.has_value() && text::print(*again) == printed);
  const auto verified = verify::verify(std::move(*program));
  static_cast<void>(verified);
  return 0;
}
