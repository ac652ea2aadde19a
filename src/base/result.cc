#include "base/result.h"

namespace pliant {

const char* error_code_name(ErrorCode code) {
  static constexpr const char* kNames[] = {
#define PLIANT_ERROR(Name, text, doc) text,
#include <pliant/errors.def>
  };
  return kNames[static_cast<int>(code)];
}

std::string Error::to_string() const {
  std::string text = fmt::format("{}: {}", error_code_name(code), message);
  if (!where.empty()) {
    text += fmt::format(" ({})", where);
  }
  return text;
}

}  // namespace pliant
