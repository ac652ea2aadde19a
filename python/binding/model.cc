#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <pliant/model.h>

#include "bindings.h"
#include "element_types.h"
#include "errors.h"
#include "record.h"
#include "text.h"

namespace pliant::python {

namespace py = pybind11;

namespace {

/// An input or output as a program describes it.
struct ValueInfo {
  std::string name;
  std::optional<DType> dtype;
  bool rank_known = false;
  std::vector<Dimension> shape;
  bool has_default = false;
};

/// Extents as numbers, symbols and expressions as text, what is not known as None.
py::object shape_of(const ValueInfo& value) {
  if (!value.rank_known) {
    return py::none();
  }
  py::list shape;
  for (const Dimension& dimension : value.shape) {
    if (dimension.extent) {
      shape.append(*dimension.extent);
    } else if (dimension.symbol.empty()) {
      shape.append(py::none());
    } else {
      shape.append(to_str(dimension.symbol));
    }
  }
  return shape;
}

py::object type_of(const ValueInfo& value) {
  return value.dtype ? py::object(py::str(onnx_type_name(*value.dtype))) : py::none();
}

void bind_value_info(py::module_& module) {
  Record<ValueInfo> record(module, "ValueInfo", "An input or output of a model.");
  record
      .computed(
          "name", [](const ValueInfo& value) { return to_str(value.name); }, "its name")
      .computed("shape", &shape_of,
                "list with a number, a name (dynamic axis) or None (known when it has run) per "
                "axis; None if not even the number of axes is known")
      .computed("type", &type_of, "such as tensor(float); None if it depends on the run")
      .field("has_default", &ValueInfo::has_default, "whether an input may be left out");
  record.finish();
}

py::list inputs_of(const Model& model) {
  py::list values;
  for (const InputInfo& input : model.inputs()) {
    values.append(
        ValueInfo{input.name, input.dtype, input.rank_known, input.shape, input.has_default});
  }
  return values;
}

py::list outputs_of(const Model& model) {
  py::list values;
  for (const OutputInfo& output : model.outputs()) {
    values.append(ValueInfo{output.name, output.dtype, output.rank_known, output.shape, false});
  }
  return values;
}

Model load(py::handle path) {
  const std::string file = to_path(path);
  return value_of([&] {
    const py::gil_scoped_release no_gil;
    return Model::load(file);
  }());
}

/// Bytes, bytearray, memoryview, mmap: whatever has a buffer of plain bytes.
Model from_onnx(const py::buffer& buffer) {
  const py::buffer_info bytes = buffer.request();
  if (PyBuffer_IsContiguous(bytes.view(), 'C') == 0) {
    throw py::buffer_error("the bytes of a model must lie in one piece");
  }
  const std::string_view view(static_cast<const char*>(bytes.ptr),
                              static_cast<std::size_t>(bytes.size * bytes.itemsize));
  return value_of([&] {
    const py::gil_scoped_release no_gil;
    return Model::from_onnx(view);
  }());
}

Model from_assembly(py::handle text, py::handle name) {
  const std::string source = to_bytes(text, "assembly");
  const std::string place = to_bytes(name, "a name");
  return value_of([&] {
    const py::gil_scoped_release no_gil;
    return Model::from_assembly(source, place);
  }());
}

void save(const Model& model, py::handle path, bool replace) {
  const std::string file = to_path(path);
  check([&] {
    const py::gil_scoped_release no_gil;
    return model.save(file, replace ? Model::Existing::kReplace : Model::Existing::kRefuse);
  }());
}

}  // namespace

void bind_model(py::module_& module) {
  bind_value_info(module);
  py::class_<Model>(module, "Model",
                    "A verified program with its weights, ready for a session. Immutable.")
      .def_static("load", &load, py::arg("path"),
                  "Reads a file: .onnx, .pasm (assembly) or .pbc (bytecode).")
      .def_static("from_onnx", &from_onnx, py::arg("data"),
                  "Reads an ONNX model from memory. External data is refused: it needs a folder.")
      .def_static("from_assembly", &from_assembly, py::arg("text"), py::arg("name") = "text",
                  "Assembles text; `name` stands in messages.")
      .def("save", &save, py::arg("path"), py::kw_only(), py::arg("replace") = false,
           "Writes bytecode; an existing file is an InvalidArgumentError unless `replace`.")
      .def(
          "to_assembly",
          [](const Model& model, std::int64_t max_elements) {
            return to_str(model.to_assembly(max_elements));
          },
          py::arg("max_elements") = INT64_MAX,
          "The program as assembly; constants with more elements are left out behind '...'.")
      .def_property_readonly("inputs", &inputs_of, "ValueInfo of each input")
      .def_property_readonly("outputs", &outputs_of, "ValueInfo of each output")
      .def_property_readonly("instruction_count", &Model::instruction_count, "instructions")
      .def_property_readonly("constant_bytes", &Model::constant_bytes, "bytes of all weights");
}

}  // namespace pliant::python
