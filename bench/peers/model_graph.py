"""Writes an ONNX graph node by node; what its methods return is the name of a tensor."""

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


class Graph:
    def __init__(self):
        self.nodes, self.constants, self.inputs, self.outputs = [], {}, [], []

    def input(self, name, element_type, shape):
        """`shape` has a number or the name of a dynamic axis for each axis."""
        self.inputs.append(helper.make_tensor_value_info(name, element_type, shape))
        return name

    def constant(self, array):
        """Equal constants are stored once."""
        array = numpy.asarray(array)
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self.constants:
            self.constants[key] = numpy_helper.from_array(array, f"constant_{len(self.constants)}")
        return self.constants[key].name

    def add(self, operator, *operands, **attributes):
        """Operands are names of tensors, or arrays and numbers, which become constants (numbers float32)."""
        names = [self._name_of(operand) for operand in operands]
        result = f"tensor_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, names, [result], **attributes))
        return result

    def _name_of(self, operand):
        if isinstance(operand, str):
            return operand
        return self.constant(numpy.float32(operand) if isinstance(operand, (int, float)) else operand)

    def output(self, name, tensor, element_type, shape):
        self.nodes.append(helper.make_node("Identity", [tensor], [name]))
        self.outputs.append(helper.make_tensor_value_info(name, element_type, shape))

    def model(self):
        graph = helper.make_graph(self.nodes, "benchmark", self.inputs, self.outputs, list(self.constants.values()))
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)

    # ---- what several models have in common; parts are written as exporters of PyTorch write them ----

    def linear(self, x, weight, bias):
        return self.add("Add", self.add("MatMul", x, weight), bias)

    def layer_norm(self, x, scale, bias):
        return self.add("LayerNormalization", x, scale, bias, axis=-1, epsilon=1e-5)

    def gelu(self, x):
        erf = self.add("Erf", self.add("Div", x, 2.0**0.5))
        return self.add("Mul", self.add("Mul", x, self.add("Add", erf, 1.0)), 0.5)

    def extent(self, x, axis):
        """The size of an axis as a tensor of one integer."""
        return self.add("Gather", self.add("Shape", x), numpy.array([axis]), axis=0)

    def split_heads(self, x, heads, size):
        """[batch, length, heads * size] becomes [batch, heads, length, size]."""
        return self.add("Transpose", self.add("Reshape", x, numpy.array([0, 0, heads, size])), perm=[0, 2, 1, 3])

    def join_heads(self, x, hidden):
        return self.add("Reshape", self.add("Transpose", x, perm=[0, 2, 1, 3]), numpy.array([0, 0, hidden]))

    def attention(self, query, key, value, size, mask):
        """`mask` is added to the scores; heads are split already."""
        scores = self.add("MatMul", query, self.add("Transpose", key, perm=[0, 1, 3, 2]))
        scores = self.add("Add", self.add("Div", scores, float(size) ** 0.5), mask)
        return self.add("MatMul", self.add("Softmax", scores, axis=-1), value)
