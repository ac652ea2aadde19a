#include <algorithm>
#include <bit>

#include "onnx/converters.h"
#include "tensor/dtype.h"

// Constants, values passed on unchanged, and tensors made from a rule.

namespace pliant::onnx {
namespace {

Operand ones(Node& node, DType dtype, const Operand& shape) {
  return node.emit<isa::Fill>({node.emitter().scalar(dtype, 1.0), shape});
}

/// Sets output 0 to the input and output 1, where it is wanted, to a mask that keeps everything.
void pass_with_mask(Node& node) {
  const Operand x = node.input(0);
  node.set_output(0, x);
  if (node.wants_output(1) && !node.emitter().failed()) {
    const DType dtype = node.opset() < 10 ? node.dtype(x) : DType::kBool;
    node.set_output(1, ones(node, dtype, node.emit<isa::ShapeOf>({x})));
  }
}

/// True for a constant of one element that is 0 or false.
bool is_constant_zero(Node& node, const Operand& value) {
  const TensorView* view = node.emitter().constant(value);
  return view != nullptr && view->element_count() == 1 &&
         visit_dtype(view->dtype, [&](auto element) {
           using Element = decltype(element);
           if constexpr (std::is_same_v<Element, Half> || std::is_same_v<Element, BFloat16>) {
             return (view->as<Element>()->bits & 0x7fff) == 0;
           } else {
             return *view->as<Element>() == Element{};
           }
         });
}

Operand float_vector(Node& node, const Operand& reals) {
  StoredTensor tensor = make_constant(DType::kF32, {static_cast<std::int64_t>(reals.list.size())});
  std::transform(reals.list.begin(), reals.list.end(), tensor.view.as<float>(),
                 [](const Operand& item) { return static_cast<float>(item.real); });
  return isa::constant(node.emitter().add_constant("numbers", std::move(tensor)));
}

/// ONNX's seed is a float; its bits serve. Without one the instruction's own place makes the
/// numbers.
std::int64_t seed(Node& node) {
  return node.has_attribute("seed")
             ? std::bit_cast<std::uint32_t>(static_cast<float>(node.real("seed", 0.0)))
             : 0;
}

void random_numbers(Node& node, isa::Opcode opcode, const Operand& shape, DType dtype) {
  const bool uniform = opcode == isa::Opcode::kRandomUniform;
  Emitter::Fields fields = {{"seed", isa::number(seed(node))}, {"to", isa::type(dtype)}};
  fields.push_back({uniform ? "low" : "mean", isa::real(node.real(uniform ? "low" : "mean", 0.0))});
  fields.push_back(
      {uniform ? "high" : "deviation", isa::real(node.real(uniform ? "high" : "scale", 1.0))});
  node.set_output(0, node.emitter().emit(opcode, {shape}, std::move(fields)));
}

void random_numbers_of_shape(Node& node, isa::Opcode opcode) {
  if (!node.has_attribute("shape")) {
    node.refuse(ErrorCode::kCorrupt, "a required attribute is missing: shape");
    return;
  }
  random_numbers(node, opcode, node.integers("shape"), node.element_type("dtype", DType::kF32));
}

void random_numbers_like(Node& node, isa::Opcode opcode) {
  const Operand like = node.input(0);
  const Operand shape = node.emit<isa::ShapeOf>({like});
  random_numbers(node, opcode, shape, node.element_type("dtype", node.dtype(like)));
}

}  // namespace

void convert_identity(Node& node) {
  node.set_output(0, node.input(0));
}

void convert_dropout(Node& node) {
  pass_with_mask(node);
}

/// In training Dropout draws random numbers, but for a ratio of 0, which exporters write for models
/// that were never switched to inference.
void convert_dropout_inputs(Node& node) {
  const Operand training = node.optional_input(2);
  const Operand ratio = node.optional_input(1);
  if (training.given() && !is_constant_zero(node, training) &&
      !(ratio.given() && is_constant_zero(node, ratio))) {
    node.unsupported("training_mode is not supported");
    return;
  }
  pass_with_mask(node);
}

void convert_constant(Node& node) {
  if (node.has_attribute("value")) {
    node.set_output(0, node.tensor("value"));
  } else if (node.has_attribute("value_float")) {
    node.set_output(0, node.emitter().scalar(DType::kF32, node.real("value_float", 0.0)));
  } else if (const auto integers = node.integer_list("value_ints")) {
    node.set_output(0, node.emitter().vector(*integers));
  } else if (node.has_attribute("value_int")) {
    StoredTensor tensor = make_constant(DType::kI64, {});  // scalar() would round large numbers
    *tensor.view.as<std::int64_t>() = node.integer("value_int", 0);
    node.set_output(0, isa::constant(node.emitter().add_constant("number", std::move(tensor))));
  } else if (node.has_attribute("value_floats")) {
    node.set_output(0, float_vector(node, node.reals("value_floats")));
  } else {
    node.unsupported("only tensors, numbers and lists of numbers are supported");
  }
}

void convert_constant_of_shape(Node& node) {
  Operand value = node.tensor("value");
  if (!value.given()) {
    value = node.emitter().scalar(DType::kF32, 0.0);
  }
  node.set_output(0, node.emit<isa::Fill>({value, node.sizes(0)}));
}

void convert_range(Node& node) {
  node.set_output(0, node.emit<isa::Range>({node.input(0), node.input(1), node.input(2)}));
}

void convert_one_hot(Node& node) {
  node.set_output(0, node.emit<isa::OneHot>({node.input(0), node.size(1), node.input(2)},
                                            {{"axis", isa::number(node.integer("axis", -1))}}));
}

/// Ones on the diagonal: what two triangles of a matrix of ones have in common.
void convert_eye_like(Node& node) {
  const Operand like = node.input(0);
  if (node.emitter().failed()) {
    return;
  }
  const Operand diagonal = isa::number(node.integer("k", 0));
  const Operand matrix =
      ones(node, node.element_type("dtype", node.dtype(like)), node.emit<isa::ShapeOf>({like}));
  const Operand upper = node.emit<isa::Triangular>(
      {matrix}, {{"diagonal", diagonal}, {"keep", isa::choice(isa::Triangle::kUpper)}});
  node.set_output(
      0, node.emit<isa::Triangular>(
             {upper}, {{"diagonal", diagonal}, {"keep", isa::choice(isa::Triangle::kLower)}}));
}

void convert_random_uniform(Node& node) {
  random_numbers_of_shape(node, isa::Opcode::kRandomUniform);
}
void convert_random_normal(Node& node) {
  random_numbers_of_shape(node, isa::Opcode::kRandomNormal);
}
void convert_random_uniform_like(Node& node) {
  random_numbers_like(node, isa::Opcode::kRandomUniform);
}
void convert_random_normal_like(Node& node) {
  random_numbers_like(node, isa::Opcode::kRandomNormal);
}

}  // namespace pliant::onnx
