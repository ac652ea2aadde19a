#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <pliant/session.h>

#include "program/program.h"

namespace pliant::session {

/// The inputs of one run in the order of the program, and the symbols' values that follow from
/// them.
struct BoundInputs {
  std::vector<StoredTensor> tensors;
  std::vector<std::int64_t> symbols;
};

/// Fits what a caller gives to what a program declares. Immutable, so thread-safe.
class InputBinder {
 public:
  /// The program must outlive the binder.
  explicit InputBinder(const Program& program);

  /// Matches by name, checks types, ranks and extents, and binds symbols. The tensors' memory is
  /// shared, not copied (a tensor whose address does not fit its element type is copied).
  /// Errors: see Session::run().
  [[nodiscard]] Result<BoundInputs> bind(std::span<const NamedTensor> inputs) const;

 private:
  struct SymbolBinding {  // who gave a symbol its value
    int input = -1;
    std::size_t axis = 0;
    std::int64_t value = 0;
  };

  [[nodiscard]] Result<std::vector<const Tensor*>> match(std::span<const NamedTensor> inputs) const;
  [[nodiscard]] Status bind_extents(std::size_t index, const Shape& shape,
                                    std::vector<SymbolBinding>& symbols) const;
  [[nodiscard]] std::string describe(std::size_t index) const;
  [[nodiscard]] std::string describe_all() const;

  const Program& program_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
};

}  // namespace pliant::session
