#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <pliant/session.h>

namespace pliant::testing {

/// Which of the recorded integers may occur. Many are indices: they have to be lower where what they
/// index is shorter.
enum class Integers : std::uint8_t { kAll, kLowerHalf, kLeast };

/// Makes requests like a recorded one at other sizes.
class InputMaker {
 public:
  /// The inputs are all those of the model, in its order.
  InputMaker(const Model& model, std::vector<NamedTensor> recorded);

  struct Symbol {
    std::string name;
    std::int64_t size = 0;  ///< as recorded
  };
  /// The symbols of the model's inputs.
  [[nodiscard]] const std::vector<Symbol>& symbols() const { return symbols_; }
  /// The recorded sizes of the symbols, and those of another batch.
  [[nodiscard]] std::vector<std::int64_t> sizes() const;
  [[nodiscard]] std::vector<std::int64_t> sizes_with_batch(std::int64_t batch) const;
  /// Whether axis 0 of all inputs is dynamic and has one size: the batch, or something like it.
  [[nodiscard]] bool has_batch() const;
  [[nodiscard]] bool has_integers() const;

  /// Inputs in which the symbols have these sizes. Elements are drawn from the recorded ones of the
  /// same input, so they keep within their range; integers whose shape stays as it was stay too, for
  /// sizes may follow from them. The same for the same seed.
  [[nodiscard]] std::vector<NamedTensor> make(std::span<const std::int64_t> sizes,
                                              Integers integers, std::uint64_t seed) const;

 private:
  std::vector<NamedTensor> recorded_;
  std::vector<Symbol> symbols_;
  std::vector<std::vector<int>> symbol_of_axis_;  ///< by input: into symbols_, or -1
};

}  // namespace pliant::testing
