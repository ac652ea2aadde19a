"""A small text encoder with made-up weights: what it says of a sentence means nothing. Its inputs, its
output and the work inside are those of a real one."""

import numpy as np
from onnx_graph import FLOAT, INT64, Graph

WORDS, LONGEST, WIDTH = 256, 512, 64


def _weights():
    random = np.random.default_rng(1)
    shapes = {
        "words": (WORDS, WIDTH), "places": (LONGEST, WIDTH), "query": (WIDTH, WIDTH), "key": (WIDTH, WIDTH),
        "value": (WIDTH, WIDTH), "up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH),
    }  # fmt: skip
    return {name: (random.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32) for name, shape in shapes.items()}


def build():
    """input_ids int64[batch, length], attention_mask int64[batch, length] -> last_hidden_state
    float[batch, length, 64]; places where the mask is 0 are not looked at."""
    weights, graph = _weights(), Graph()
    ids = graph.input("input_ids", INT64, ["batch", "length"])
    mask = graph.input("attention_mask", INT64, ["batch", "length"])
    length = graph.node("Squeeze", graph.node("Shape", ids, start=1, end=2), np.array([0]))
    places = graph.node("Gather", weights["places"], graph.node("Range", np.array(0), length, np.array(1)))
    x = graph.node("Add", graph.node("Gather", weights["words"], ids), places)

    key, query, value = (graph.node("MatMul", x, weights[name]) for name in ("key", "query", "value"))
    scores = graph.node("MatMul", query, graph.node("Transpose", key, perm=[0, 2, 1]))
    scores = graph.node("Div", scores, np.float32(np.sqrt(WIDTH)))
    masked = graph.node("Unsqueeze", graph.node("Equal", mask, np.array(0)), np.array([1]))
    scores = graph.node("Where", masked, np.float32(-1e9), scores)
    mixed = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), value)
    x = graph.node("LayerNormalization", graph.node("Add", x, mixed), np.ones(WIDTH, np.float32))

    up = graph.node("Relu", graph.node("MatMul", x, weights["up"]))
    x = graph.node("Add", x, graph.node("MatMul", up, weights["down"]))
    graph.output("last_hidden_state", graph.node("LayerNormalization", x, np.ones(WIDTH, np.float32)))
    return graph.to_bytes()


def reference(ids):
    """The hidden states of one sentence, computed by NumPy: int64[length] -> float[length, 64]."""
    w = _weights()

    def normalized(x):
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)

    x = w["words"][ids] + w["places"][: len(ids)]
    scores = np.exp((x @ w["query"]) @ (x @ w["key"]).T / np.sqrt(WIDTH))
    x = normalized(x + scores / scores.sum(-1, keepdims=True) @ (x @ w["value"]))
    return normalized(x + np.maximum(x @ w["up"], 0) @ w["down"])
