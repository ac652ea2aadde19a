// Any text: no crash, bounded memory; a profile that reads is written and read again unchanged.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "shapes/profile_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pliant;
  const auto profile =
      shapes::read_profile(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!profile) {
    PLIANT_CHECK(!profile.error().message.empty());
    return 0;
  }
  const auto again = shapes::read_profile(shapes::write_profile(*profile));
  PLIANT_CHECK(again.has_value() && *again == *profile);
  return 0;
}
