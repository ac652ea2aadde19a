#pragma once

#include <pybind11/numpy.h>

#include <string>
#include <vector>

#include <pliant/session.h>

namespace pliant::python {

/// Inputs of one run as tensors, and the Python objects whose memory they use.
class FeedTensors {
 public:
  /// The value as a tensor of the declared element type. Memory that is row-major and in native
  /// byte order is used as it is; anything else is copied. Nothing is ever read as another type
  /// than its own: that is an ElementTypeError. Plain Python numbers and lists, which have no element
  /// type, take the declared one, unless that would lose something.
  ///
  /// Taken are: pliant.Tensor, NumPy arrays and scalars, whatever has __dlpack__ (on the CPU), the
  /// buffer protocol, numbers and lists.
  void add(const InputInfo& declared, pybind11::handle value);
  /// A value for a name that the model does not have, so that the run says so.
  void add_unknown(std::string name);

  [[nodiscard]] const std::vector<NamedTensor>& tensors() const { return tensors_; }

 private:
  [[nodiscard]] Tensor tensor_of(const InputInfo& declared, pybind11::handle value);
  [[nodiscard]] Tensor of_array(const InputInfo& declared, pybind11::array array);
  [[nodiscard]] Tensor of_plain_values(const InputInfo& declared, pybind11::handle value);

  std::vector<NamedTensor> tensors_;
  std::vector<pybind11::object> kept_;
};

/// A NumPy array over the tensor's memory, which lives as long as the array does. Nothing is copied;
/// outputs of runs belong to whoever gets them, so the array may be written to.
[[nodiscard]] pybind11::array array_over(const Tensor& tensor);

}  // namespace pliant::python
