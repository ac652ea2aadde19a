"""A small decoder with a cache and made-up weights: the tokens that it writes mean nothing. Its inputs, its
outputs and the work inside are those of a real one."""

import numpy as np
from onnx_graph import FLOAT, INT64, Graph

LAYERS, HEADS, HEAD_WIDTH, TOKENS, LONGEST = 2, 2, 16, 60, 1024
WIDTH = HEADS * HEAD_WIDTH


def _weights():
    random = np.random.default_rng(2)
    shapes = {"tokens": (TOKENS, WIDTH), "places": (LONGEST, WIDTH), "logits": (WIDTH, TOKENS)}
    for i in range(LAYERS):
        shapes |= {f"{name}{i}": (WIDTH, WIDTH) for name in ("query", "key", "value", "out")}
        shapes |= {f"up{i}": (WIDTH, 4 * WIDTH), f"down{i}": (4 * WIDTH, WIDTH)}
    return {name: (random.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32) for name, shape in shapes.items()}


def build():
    """input_ids int64[batch, new] and, per layer, past_key_values.N.key and .value float[batch, 2, past, 16]
    -> logits float[batch, new, 60] and present.N.key and .value, the past with what is new behind it."""
    weights, graph = _weights(), Graph()
    ids = graph.input("input_ids", INT64, ["batch", "new"])
    pasts = [
        [graph.input(f"past_key_values.{i}.{kind}", FLOAT, ["batch", HEADS, "past", HEAD_WIDTH]) for kind in ("key", "value")]
        for i in range(LAYERS)
    ]
    past = graph.node("Squeeze", graph.node("Shape", pasts[0][0], start=2, end=3), np.array([0]))
    new = graph.node("Squeeze", graph.node("Shape", ids, start=1, end=2), np.array([0]))
    total = graph.node("Add", past, new)
    here = graph.node("Range", past, total, np.array(1))
    seen = graph.node("Range", np.array(0), total, np.array(1))
    later = graph.node("Greater", seen, graph.node("Unsqueeze", here, np.array([1])))

    x = graph.node(
        "Add", graph.node("Gather", weights["tokens"], ids), graph.node("Gather", weights["places"], here)
    )
    presents = []
    for i, (past_key, past_value) in enumerate(pasts):

        def heads(name, value):
            flat = graph.node("MatMul", value, weights[name])
            split = graph.node("Reshape", flat, np.array([0, 0, HEADS, HEAD_WIDTH]))
            return graph.node("Transpose", split, perm=[0, 2, 1, 3])

        key = graph.node("Concat", past_key, heads(f"key{i}", x), axis=2)
        value = graph.node("Concat", past_value, heads(f"value{i}", x), axis=2)
        presents.append((key, value))
        scores = graph.node("MatMul", heads(f"query{i}", x), graph.node("Transpose", key, perm=[0, 1, 3, 2]))
        scores = graph.node("Div", scores, np.float32(np.sqrt(HEAD_WIDTH)))
        scores = graph.node("Where", later, np.float32(-1e9), scores)
        mixed = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), value)
        mixed = graph.node("Reshape", graph.node("Transpose", mixed, perm=[0, 2, 1, 3]), np.array([0, 0, WIDTH]))
        x = graph.node("Add", x, graph.node("MatMul", mixed, weights[f"out{i}"]))
        x = graph.node("LayerNormalization", x, np.ones(WIDTH, np.float32))
        up = graph.node("Relu", graph.node("MatMul", x, weights[f"up{i}"]))
        x = graph.node("Add", x, graph.node("MatMul", up, weights[f"down{i}"]))
        x = graph.node("LayerNormalization", x, np.ones(WIDTH, np.float32))
    graph.output("logits", graph.node("MatMul", x, weights["logits"]))
    for i, (key, value) in enumerate(presents):
        graph.output(f"present.{i}.key", key)
        graph.output(f"present.{i}.value", value)
    return graph.to_bytes()


def reference(ids):
    """The logits of a whole sequence at once, computed by NumPy without a cache: int64[length] ->
    float[length, 60]."""
    w, length = _weights(), len(ids)

    def normalized(x):
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)

    def heads(x):
        return x.reshape(length, HEADS, HEAD_WIDTH).transpose(1, 0, 2)

    x = w["tokens"][ids] + w["places"][:length]
    for i in range(LAYERS):
        query, key, value = (heads(x @ w[f"{name}{i}"]) for name in ("query", "key", "value"))
        scores = np.exp(query @ key.transpose(0, 2, 1) / np.sqrt(HEAD_WIDTH)) * np.tri(length)
        mixed = scores / scores.sum(-1, keepdims=True) @ value
        x = normalized(x + mixed.transpose(1, 0, 2).reshape(length, WIDTH) @ w[f"out{i}"])
        x = normalized(x + np.maximum(x @ w[f"up{i}"], 0) @ w[f"down{i}"])
    return x @ w["logits"]
