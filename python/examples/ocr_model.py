"""A reader of text lines whose weights are the bitmaps of a font: it reads that font and nothing else, but
truly. Its input, its output and how text is made of them are those of real ones (PP-OCR, CRNN)."""

import numpy as np
from onnx_graph import FLOAT, Graph

CELL = 8  # pixels to a dot of the font
ROWS = 6  # dots in the height of a line: 48 pixels
GLYPHS = {
    "0": "111 101 101 101 111", "1": "110 010 010 010 111", "2": "111 001 111 100 111",
    "3": "111 001 111 001 111", "4": "101 101 111 001 001", "5": "111 100 111 001 111",
    "6": "111 100 111 101 111", "7": "111 001 001 001 001", "8": "111 101 111 101 111",
    "9": "111 101 111 001 111", "-": "000 000 111 000 000", ".": "000 000 000 000 010",
    ":": "000 010 000 010 000", "+": "000 010 111 010 000",
}  # fmt: skip
CHARACTERS = ["", *GLYPHS]
"""What each class stands for. The first is between characters."""


def _dots(glyph):
    """Black dots of a glyph with the white column on both sides and the white row below: [6, 5]."""
    dots = np.zeros((ROWS, 5), np.float32)
    dots[:5, 1:4] = [[int(dot) for dot in row] for row in GLYPHS[glyph].split()]
    return dots


def draw(text, margin=0):
    """The image of a line, black (-1) on white (1): float[3, 48, width]. `margin` is in pixels."""
    dots = np.zeros((ROWS, 1 + 4 * len(text)), np.float32)
    for i, glyph in enumerate(text):
        dots[:, 4 * i : 4 * i + 5] += _dots(glyph)
    gray = np.kron(1 - 2 * dots, np.ones((CELL, CELL), np.float32))
    return np.pad(np.stack([gray] * 3), ((0, 0), (0, 0), (0, margin)), constant_values=1)


def _weights():
    """Each class is the sum of the dots that fit, 30 at most; between characters fits 29."""
    templates = np.stack([1 - 2 * _dots(glyph) for glyph in GLYPHS])
    kernel = np.zeros((len(CHARACTERS), 3, ROWS, 5), np.float32)
    kernel[1:] = templates[:, np.newaxis] / 3
    bias = np.zeros(len(CHARACTERS), np.float32)
    bias[0] = 29
    return kernel, bias


def build():
    """x float[batch, 3, 48, width] -> float[batch, steps, classes], a probability of each class from left
    to right."""
    kernel, bias = _weights()
    graph = Graph()
    x = graph.input("x", FLOAT, ["batch", 3, CELL * ROWS, "width"])
    dots = graph.node("AveragePool", x, kernel_shape=[CELL, CELL], strides=[CELL, CELL])
    scores = graph.node("Squeeze", graph.node("Conv", dots, kernel, bias), np.array([2]))
    graph.output("probabilities", graph.node("Softmax", graph.node("Transpose", scores, perm=[0, 2, 1]), axis=-1))
    return graph.to_bytes()


def reference(image):
    """The same for one image, computed by NumPy: float[3, 48, width] -> float[steps, classes]."""
    kernel, bias = _weights()
    whole = image[:, :, : image.shape[2] // CELL * CELL]
    dots = whole.reshape(3, ROWS, CELL, -1, CELL).mean(axis=(2, 4))
    windows = np.lib.stride_tricks.sliding_window_view(dots, 5, axis=2)
    scores = np.exp(np.einsum("crsk,ocrk->so", windows, kernel) + bias - 29)
    return scores / scores.sum(-1, keepdims=True)
