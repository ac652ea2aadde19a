"""Writes down an ONNX graph step by step, for the small models of the examples."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


class Graph:
    """Values are known by their names, which every method returns."""

    def __init__(self):
        self._inputs, self._outputs, self._weights, self._nodes = [], [], [], []

    def input(self, name, element_type, shape):
        self._inputs.append(helper.make_tensor_value_info(name, element_type, shape))
        return name

    def output(self, name, value):
        self._nodes.append(helper.make_node("Identity", [value], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, FLOAT, None))

    def weight(self, array):
        name = f"w{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, operator, *inputs, **attributes):
        """A node with one output. Inputs are names, or arrays, which become weights."""
        names = [each if isinstance(each, str) else self.weight(each) for each in inputs]
        name = f"v{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, names, [name], **attributes))
        return name

    def to_bytes(self):
        graph = helper.make_graph(self._nodes, "example", self._inputs, self._outputs, self._weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
        return model.SerializeToString()
