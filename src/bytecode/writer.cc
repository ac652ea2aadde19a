#include "bytecode/writer.h"

#include <cstring>
#include <span>

#include "base/result.h"
#include "bytecode/atomic_file.h"
#include "bytecode/description_writer.h"
#include "bytecode/format.h"

namespace pliant::bytecode {
namespace {

/// Calls `append` with pieces of the file in order.
template <class Append>
Status write_pieces(const Program& program, Append&& append) {
  static constexpr std::byte kPadding[kAlignment] = {};
  const DataLayout layout = lay_out_data(program);
  const std::vector<std::byte> description = write_description(program, layout);
  Header header{};
  header.magic = kMagic;
  header.version = version_of(program);
  header.description_bytes = description.size();
  header.data_offset = round_up(sizeof(Header) + description.size());
  header.data_bytes = layout.byte_size;
  header.checksum = checksum(description);
  const auto pad = [&](std::uint64_t bytes) {
    return append(std::span(kPadding).first(static_cast<std::size_t>(round_up(bytes) - bytes)));
  };
  PLIANT_RETURN_IF_ERROR(append(std::as_bytes(std::span(&header, 1))));
  PLIANT_RETURN_IF_ERROR(append(std::span(description)));
  PLIANT_RETURN_IF_ERROR(pad(sizeof(Header) + description.size()));
  for (const DataLayout::Block& block : layout.blocks) {
    PLIANT_RETURN_IF_ERROR(append(std::span(block.data, block.byte_size)));
    PLIANT_RETURN_IF_ERROR(pad(block.byte_size));
  }
  return {};
}

}  // namespace

std::vector<std::byte> write(const Program& program) {
  std::vector<std::byte> bytes;
  const Status always = write_pieces(program, [&](std::span<const std::byte> piece) {
    bytes.insert(bytes.end(), piece.begin(), piece.end());
    return Status();
  });
  static_cast<void>(always);
  return bytes;
}

Status write_file(const Program& program, const std::string& path, Existing existing) {
  PLIANT_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::create(path, existing));
  PLIANT_RETURN_IF_ERROR(
      write_pieces(program, [&](std::span<const std::byte> piece) { return file.append(piece); }));
  return file.commit();
}

}  // namespace pliant::bytecode
