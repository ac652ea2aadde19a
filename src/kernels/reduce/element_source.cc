#include "kernels/reduce/element_source.h"

#include <cstring>

namespace pliant::kernels {
namespace {

template <class T>
void gather(const std::byte* from, const std::int64_t* offsets, std::int64_t count, std::byte* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * static_cast<std::int64_t>(sizeof(T)),
                from + offsets[i] * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  }
}
using Gather = void (*)(const std::byte*, const std::int64_t*, std::int64_t, std::byte*);
/// By log2 of the element's size.
constexpr Gather kGather[] = {&gather<std::uint8_t>, &gather<std::uint16_t>, &gather<std::uint32_t>,
                              &gather<std::uint64_t>};

/// Whether the elements are neighbours in the input.
bool is_run(const ReducedAxes& axes, std::int64_t first, std::int64_t count) {
  if (axes.reduced_rank == 0) {
    return true;
  }
  const ReducedAxes::Axis& last = axes.reduced[axes.reduced_rank - 1];
  return last.stride == 1 && (axes.reduced_rank == 1 || first % last.extent + count <= last.extent);
}

}  // namespace

const void* read_block(const ElementSource& source, const ReducedAxes& axes, std::int64_t start,
                       std::int64_t first, std::int64_t count, BlockMemory& memory) {
  const std::byte* base = source.data + start * source.element_bytes;
  const std::byte* elements = memory.raw;
  if (is_run(axes, first, count)) {
    if (axes.reduced_rank <= 1) {
      memory.offsets[0] = first;
    } else {
      offsets_of_elements(axes, first, 1, memory.offsets);
    }
    elements = base + memory.offsets[0] * source.element_bytes;
  } else {
    offsets_of_elements(axes, first, count, memory.offsets);
    kGather[__builtin_ctz(static_cast<unsigned>(source.element_bytes))](base, memory.offsets, count,
                                                                        memory.raw);
  }
  if (source.convert == nullptr) {
    return elements;
  }
  convert(source.convert, elements, memory.converted, count);
  return memory.converted;
}

void write_results(const ResultTarget& target, const ReducedAxes& axes, std::int64_t first,
                   std::int64_t count, const void* values) {
  std::byte converted[kReductionColumns * 8];
  if (target.convert != nullptr) {
    convert(target.convert, values, converted, count);
    values = converted;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const ResultPosition position = position_of_result(axes, first + i);
    std::memcpy(target.data + position.result * target.element_bytes,
                static_cast<const std::byte*>(values) + i * target.element_bytes,
                static_cast<std::size_t>(target.element_bytes));
  }
}

}  // namespace pliant::kernels
