#include "program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

#include "base/check.h"
#include "isa/info.h"

namespace pliant {
namespace {

class OwnedConstant final : public Storage {
 public:
  OwnedConstant(void* data, std::size_t byte_size)
      : Storage(data, byte_size, Lifetime::kConstant) {}
  ~OwnedConstant() override { std::free(data()); }
};

class AdoptedConstant final : public Storage {
 public:
  AdoptedConstant(std::shared_ptr<const void> owner, const void* data, std::size_t byte_size)
      : Storage(const_cast<void*>(data), byte_size, Lifetime::kConstant),
        owner_(std::move(owner)) {}

 private:
  std::shared_ptr<const void> owner_;
};

constexpr std::size_t kAlignment = 64;

}  // namespace

std::string Program::describe(std::size_t instruction) const {
  if (instruction < places.size()) {
    const Place& place = places[instruction];
    if (!place.origin.empty()) {
      return place.origin;
    }
    if (place.line > 0) {
      return fmt::format("{}:{}:{}", source.empty() ? "<text>" : source, place.line, place.column);
    }
  }
  // Errors about programs with codes that do not exist want a place, too.
  const bool has_row =
      instruction < instructions.size() && isa::row_of(instructions[instruction].opcode) >= 0;
  if (has_row) {
    return fmt::format("instruction {} ({})", instruction,
                       isa::info(instructions[instruction].opcode).mnemonic);
  }
  return fmt::format("instruction {}", instruction);
}

std::shared_ptr<Storage> make_constant_storage(std::size_t byte_size) {
  const std::size_t rounded =
      (std::max<std::size_t>(byte_size, 1) + kAlignment - 1) / kAlignment * kAlignment;
  void* data = std::aligned_alloc(kAlignment, rounded);
  if (data == nullptr) {
    throw std::bad_alloc();
  }
  return std::make_shared<OwnedConstant>(data, byte_size);
}

std::shared_ptr<Storage> adopt_constant_storage(std::shared_ptr<const void> owner, const void* data,
                                                std::size_t byte_size) {
  return std::make_shared<AdoptedConstant>(std::move(owner), data, byte_size);
}

StoredTensor make_constant(DType dtype, const Shape& shape) {
  const auto count = static_cast<std::size_t>(element_count(shape));
  auto storage = make_constant_storage(count * byte_size(dtype));
  return StoredTensor{contiguous_view(storage->data(), dtype, shape), std::move(storage)};
}

void fill_seeded(const TensorView& view, std::uint64_t seed) {
  PLIANT_CHECK(view.dtype == DType::kF32);
  std::int64_t fan_in = 1;
  for (std::size_t i = 0; i + 1 < view.shape.size(); ++i) {
    fan_in *= view.shape[i];
  }
  const float scale = 1.0f / std::sqrt(static_cast<float>(std::max<std::int64_t>(fan_in, 1)));
  std::uint64_t state = seed;
  float* values = view.as<float>();
  for (std::int64_t i = 0; i < view.element_count(); ++i) {
    // splitmix64 (Steele, Lea, Flood, OOPSLA 2014, doi:10.1145/2660193.2660195).
    state += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    const float unit = static_cast<float>(z >> 40) * 0x1p-23f - 1.0f;
    values[i] = unit * scale;
  }
}

}  // namespace pliant
