#pragma once

#include <cstddef>
#include <vector>

#include "plan/place.h"
#include "tensor/view.h"

namespace pliant::plan {

/// How the values of a plan lie while a run is laid out: addresses stand for places, or are real.
/// Many values lie as another does, but for the address; they share its shape and strides.
class LaidOutValues {
 public:
  /// Makes room for `count` values; none lies anywhere yet.
  void reset(std::size_t count) {
    values_.assign(count, {});
    if (views_.size() < count) {
      views_.resize(count);
    }
  }

  void set(int value, const TensorView& view) {
    values_[at(value)] = {view.data, value};
    views_[at(value)] = view;
  }
  /// `value` lies as `other` does, at an address of its own.
  void set_like(int value, int other, void* data) {
    values_[at(value)] = {data, values_[at(other)].view};
  }

  /// Null for a value that lies nowhere yet.
  [[nodiscard]] void* data(int value) const { return values_[at(value)].data; }
  [[nodiscard]] TensorView view(int value) const {
    TensorView view = views_[at(values_[at(value)].view)];
    view.data = values_[at(value)].data;
    return view;
  }

  /// Whether two values that stand for places have the same strides, and begin at the same distance
  /// from the beginning of their buffers.
  [[nodiscard]] bool lie_alike(int a, int b) const {
    const Value& x = values_[at(a)];
    const Value& y = values_[at(b)];
    return is_place(x.data) && is_place(y.data) && same_offset(x.data, y.data) &&
           (x.view == y.view || views_[at(x.view)].strides == views_[at(y.view)].strides);
  }

 private:
  struct Value {
    void* data = nullptr;
    int view = 0;  ///< into views_
  };

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  std::vector<Value> values_;
  std::vector<TensorView>
      views_;  ///< each at the position of the value that was set; data is stale
};

}  // namespace pliant::plan
