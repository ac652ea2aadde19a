#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>

#include "text.h"

namespace pliant::python {

/// A struct of the C++ API as a Python class: fields are attributes, and repr() names them all.
template <class T>
class Record {
 public:
  Record(pybind11::module_& module, const char* name, const char* doc) : class_(module, name, doc) {
    class_.def("__repr__", [](pybind11::handle self) {
      const pybind11::handle type = pybind11::type::handle_of(self);
      std::string text = pybind11::str(type.attr("__name__")).cast<std::string>() + "(";
      const char* separator = "";
      for (const pybind11::handle field : type.attr("_fields")) {
        text += separator + field.cast<std::string>() + "=" +
                pybind11::repr(self.attr(field)).cast<std::string>();
        separator = ", ";
      }
      return to_str(text + ")");
    });
  }

  /// A field as it is, read only.
  template <class Value>
  Record& field(const char* name, Value T::*member, const char* doc) {
    class_.def_readonly(name, member, doc);
    return note(name);
  }
  /// A field that is made from the struct.
  template <class Get>
  Record& computed(const char* name, Get get, const char* doc) {
    class_.def_property_readonly(name, get, doc);
    return note(name);
  }
  /// A field that may be set.
  template <class Value>
  Record& option(const char* name, Value T::*member, const char* doc) {
    class_.def_readwrite(name, member, doc);
    return note(name);
  }
  template <class Get, class Set>
  Record& option(const char* name, Get get, Set set, const char* doc) {
    class_.def_property(name, get, set, doc);
    return note(name);
  }

  pybind11::class_<T>& python_class() { return class_; }
  /// Call once, after the last field.
  void finish() { class_.attr("_fields") = pybind11::tuple(names_); }

 private:
  Record& note(const char* name) {
    names_.append(name);
    return *this;
  }

  pybind11::class_<T> class_;
  pybind11::list names_;
};

}  // namespace pliant::python
