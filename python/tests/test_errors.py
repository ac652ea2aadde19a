"""Errors have types, name what is wrong, and leave the session usable. That they leak nothing: test_leaks.py."""

import re

import numpy as np
import pytest

import pliant
from conftest import ROOT, SCALING, session_of


def test_every_code_of_the_library_is_an_exception():
    rows = (ROOT / "include/pliant/errors.def").read_text()
    for name, words in re.findall(r'^PLIANT_ERROR\((\w+), "([^"]+)"', rows, re.MULTILINE):
        kind = getattr(pliant, name + "Error")
        assert issubclass(kind, pliant.Error) and kind.__doc__, words


def test_errors_say_code_message_and_place():
    with pytest.raises(pliant.SyntaxError) as caught:
        pliant.Model.from_assembly(".output y\nNO_SUCH r0\n", "bad.pasm")
    error = caught.value
    assert error.code == "syntax error"
    assert error.where == "bad.pasm:2:1"
    assert "NO_SUCH" in error.message
    assert str(error) == f"{error.code}: {error.message} ({error.where})"


OURS = {  # raised by the Python side
    "providers": lambda: session_of(SCALING).__class__(pliant.Model.from_assembly(SCALING), providers=["CUDA"]),
    "name of a size": lambda: session_of(SCALING).sizes_of({"z": 1}),
    "rank of a size": lambda: session_of(SCALING).sizes_of({"x": 1}),
}


@pytest.mark.parametrize("ours", OURS)
def test_errors_of_the_python_side_are_like_those_of_the_library(ours):
    with pytest.raises(pliant.Error) as caught:
        OURS[ours]()
    error = caught.value
    assert error.code == type(error).code in ("invalid argument", "shape mismatch")
    assert error.message and str(error) == f"{error.code}: {error.message}"


def test_errors_are_what_python_people_catch(tmp_path):
    with pytest.raises(OSError, match="missing.onnx"):
        pliant.InferenceSession(tmp_path / "missing.onnx")
    with pytest.raises(ValueError, match="model.txt"):
        pliant.InferenceSession(tmp_path / "model.txt")
    with pytest.raises(pliant.CorruptError):
        pliant.InferenceSession(b"this is no model")
    with pytest.raises(pliant.VerificationError):
        pliant.Model.from_assembly(".output y\nELEMENTWISE_NEG r1, r0\nSTORE_TENSOR y, r1\n")
    with pytest.raises(pliant.UnsupportedError, match="warp"):
        unsupported_node()
    with pytest.raises(MemoryError):
        session = session_of(SCALING, pliant.SessionOptions(max_bytes=1 << 16))
        session.run(None, {"x": np.zeros((1 << 16, 2), np.float32)})


def unsupported_node():
    onnx = pytest.importorskip("onnx")
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("warp", ["x"], ["y"])],
        "g",
        [onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["n"])],
        [onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, ["n"])],
    )
    return pliant.InferenceSession(onnx.helper.make_model(graph, ir_version=10).SerializeToString())


WRONG = {
    "name": (lambda x: {"z": x}, pliant.InvalidArgumentError, "'z'"),
    "missing": (lambda x: {}, pliant.InvalidArgumentError, "'x' is missing"),
    "extent": (lambda x: {"x": x[:, :1]}, pliant.ShapeMismatchError, "axis 1 of input 'x'.*declared 2, given 1"),
    "rank": (lambda x: {"x": x[0]}, pliant.ShapeMismatchError, "'x'.*f32\\[n, 2\\]"),
    "element type": (lambda x: {"x": x.astype(np.float64)}, pliant.ElementTypeError, "'x'.*f32.*f64"),
    "no tensor": (lambda x: {"x": object()}, pliant.ElementTypeError, "'x'.*object"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_feeds_are_named_and_the_session_goes_on(scaling, pairs, wrong):
    feeds, kind, words = WRONG[wrong]
    with pytest.raises(kind, match=words):
        scaling.run(None, feeds(pairs))
    assert scaling.run(None, {"x": pairs})[0].tolist() == [[2, 3], [4, 6], [6, 9]]


def test_wrong_output_names_are_named(scaling, pairs):
    with pytest.raises(pliant.InvalidArgumentError, match="'q'.*outputs are y"):
        scaling.run(["q"], {"x": pairs})
    with pytest.raises(TypeError, match="list of names"):
        scaling.run("y", {"x": pairs})
    with pytest.raises(TypeError, match="name of an output"):
        scaling.run([1], {"x": pairs})
    with pytest.raises(TypeError, match="name of an input"):
        scaling.run(None, {1: pairs})
