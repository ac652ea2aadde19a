#include "cli/terminal_text.h"

namespace pliant::cli {

std::string terminal_text(std::string text) {
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    c = (byte < 0x20 && c != '\t') || byte == 0x7f ? '?' : c;
  }
  return text;
}

}  // namespace pliant::cli
