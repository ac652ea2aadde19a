"""A small graph network with made-up weights: its classes mean nothing. Its inputs, its output and the work
inside are those of a real one (GraphSAGE with the mean of the neighbours)."""

import numpy as np
from onnx_graph import FLOAT, INT64, Graph

WIDTHS = (16, 32, 4)
"""Features of a node before, between and after the layers; the last are scores of classes."""


def _weights():
    random = np.random.default_rng(3)
    for given, made in zip(WIDTHS, WIDTHS[1:]):
        yield tuple((random.standard_normal((given, made)) / np.sqrt(given)).astype(np.float32) for _ in range(2))


def build():
    """x float[nodes, 16], edge_index int64[2, edges] (from, to) -> scores float[nodes, 4]"""
    graph = Graph()
    x = graph.input("x", FLOAT, ["nodes", WIDTHS[0]])
    edges = graph.input("edge_index", INT64, [2, "edges"])
    source = graph.node("Gather", edges, np.array(0))
    target = graph.node("Unsqueeze", graph.node("Gather", edges, np.array(1)), np.array([1]))
    nodes = graph.node("Shape", x, end=1)

    def sum_per_target(values, width):
        shape = graph.node("Concat", nodes, np.array([width]), axis=0)
        zeros = graph.node("Expand", np.float32(0), shape)
        return graph.node("ScatterND", zeros, target, values, reduction="add")

    ones = graph.node("Expand", np.float32(1), graph.node("Shape", target))
    count = graph.node("Max", sum_per_target(ones, 1), np.float32(1))
    for i, (own, neighbours) in enumerate(_weights()):
        mean = graph.node("Div", sum_per_target(graph.node("Gather", x, source), WIDTHS[i]), count)
        x = graph.node("Add", graph.node("MatMul", x, own), graph.node("MatMul", mean, neighbours))
        x = graph.node("Relu", x) if i == 0 else x
    graph.output("scores", x)
    return graph.to_bytes()


def reference(x, edge_index):
    """The same, computed by NumPy."""
    source, target = edge_index
    count = np.maximum(np.bincount(target, minlength=len(x)), 1)[:, np.newaxis]
    for i, (own, neighbours) in enumerate(_weights()):
        total = np.zeros_like(x)
        np.add.at(total, target, x[source])
        x = x @ own + total / count @ neighbours
        x = np.maximum(x, 0) if i == 0 else x
    return x.astype(np.float32)
