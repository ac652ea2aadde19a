#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/program.h"

namespace pliant::bytecode {

/// Where the bytes of each constant lie behind the start of the data section, and how many bytes
/// the section has. Constants that share their bytes in memory share them in the file.
struct DataLayout {
  struct Block {
    const std::byte* data = nullptr;
    std::size_t byte_size = 0;
    std::uint64_t offset = 0;
  };
  std::vector<std::uint64_t> offsets;  ///< one per constant
  std::vector<Block> blocks;           ///< in ascending order of offset
  std::uint64_t byte_size = 0;
};
[[nodiscard]] DataLayout lay_out_data(const Program& program);

/// The description section: everything but the constants' bytes.
[[nodiscard]] std::vector<std::byte> write_description(const Program& program,
                                                       const DataLayout& layout);

/// The oldest version whose readers know every instruction of the program.
[[nodiscard]] std::uint32_t version_of(const Program& program);

}  // namespace pliant::bytecode
