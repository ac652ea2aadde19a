#include "support/made_inputs.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <type_traits>

#include "support/as_double.h"
#include "tensor/dtype.h"

namespace pliant::testing {
namespace {

using Random = std::mt19937_64;

/// The positions of the recorded elements that may occur.
template <class T>
std::vector<std::size_t> choices(std::span<const T> recorded, Integers integers) {
  std::vector<std::size_t> positions(recorded.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    if (integers != Integers::kAll && !recorded.empty()) {
      const auto [least, most] = std::ranges::minmax(recorded);
      const T limit = integers == Integers::kLeast ? least : std::max(least, T(most / 2));
      std::erase_if(positions, [&](std::size_t i) { return recorded[i] > limit; });
    }
  }
  return positions;
}

Tensor draw(const Tensor& recorded, const std::vector<std::int64_t>& shape, Integers integers,
            Random& random) {
  Tensor made = Tensor::allocate(recorded.dtype(), shape).value();
  visit_dtype(recorded.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const std::span<const T> elements = recorded.values<T>();
    const std::vector<std::size_t> positions = choices(elements, integers);
    std::generate_n(static_cast<T*>(made.mutable_data()), made.element_count(), [&] {
      return positions.empty() ? rounded<T>(0) : elements[positions[random() % positions.size()]];
    });
  });
  return made;
}

}  // namespace

InputMaker::InputMaker(const Model& model, std::vector<NamedTensor> recorded)
    : recorded_(std::move(recorded)), symbol_of_axis_(recorded_.size()) {
  for (std::size_t i = 0; i < recorded_.size(); ++i) {
    const std::vector<std::int64_t>& shape = recorded_[i].value.shape();
    symbol_of_axis_[i].assign(shape.size(), -1);
    const InputInfo& input = model.inputs()[i];
    if (!input.rank_known) {
      continue;
    }
    for (std::size_t axis = 0; axis < std::min(shape.size(), input.shape.size()); ++axis) {
      if (input.shape[axis].extent) {
        continue;
      }
      const std::string& name = input.shape[axis].symbol;
      const auto found = std::ranges::find(symbols_, name, &Symbol::name);
      symbol_of_axis_[i][axis] = static_cast<int>(found - symbols_.begin());
      if (found == symbols_.end()) {
        symbols_.push_back({name, shape[axis]});
      }
    }
  }
}

std::vector<std::int64_t> InputMaker::sizes() const {
  std::vector<std::int64_t> sizes;
  for (const Symbol& symbol : symbols_) {
    sizes.push_back(symbol.size);
  }
  return sizes;
}

std::vector<std::int64_t> InputMaker::sizes_with_batch(std::int64_t batch) const {
  std::vector<std::int64_t> changed = sizes();
  for (const std::vector<int>& axes : symbol_of_axis_) {
    changed[static_cast<std::size_t>(axes[0])] = batch;
  }
  return changed;
}

bool InputMaker::has_batch() const {
  return std::ranges::all_of(symbol_of_axis_, [&](const std::vector<int>& axes) {
    return !axes.empty() && axes[0] >= 0 &&
           symbols_[static_cast<std::size_t>(axes[0])].size ==
               symbols_[static_cast<std::size_t>(symbol_of_axis_[0][0])].size;
  });
}

bool InputMaker::has_integers() const {
  return std::ranges::any_of(
      recorded_, [](const NamedTensor& input) { return !is_float(input.value.dtype()); });
}

std::vector<NamedTensor> InputMaker::make(std::span<const std::int64_t> sizes, Integers integers,
                                          std::uint64_t seed) const {
  Random random(seed);
  std::vector<NamedTensor> inputs;
  for (std::size_t i = 0; i < recorded_.size(); ++i) {
    const Tensor& recorded = recorded_[i].value;
    std::vector<std::int64_t> shape = recorded.shape();
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (const int symbol = symbol_of_axis_[i][axis]; symbol >= 0) {
        shape[axis] = sizes[static_cast<std::size_t>(symbol)];
      }
    }
    const bool stays = !is_float(recorded.dtype()) && shape == recorded.shape();
    inputs.push_back(
        {recorded_[i].name, stays ? recorded : draw(recorded, shape, integers, random)});
  }
  return inputs;
}

}  // namespace pliant::testing
