"""How things look in a shell and in a notebook."""

import pliant
from conftest import SCALING, session_of


def test_models_and_sessions_say_what_they_are(pairs):
    session = session_of(SCALING)
    assert repr(session.model) == "<pliant.Model (x: float[n, 2]) -> (y: float[n, 2]); 3 instructions, 8 bytes of weights>"
    session.run(None, {"x": pairs})
    assert repr(session) == "<pliant.InferenceSession (x: float[n, 2]) -> (y: float[n, 2]); 1 runs, 1 plans>"
    unknown = session_of(".input x i64[...]\n.output y\nLOAD_TENSOR r0, x\nNON_ZERO r1, r0\nSTORE_TENSOR y, r1\n")
    assert "(x: int64[...]) -> (y: int64[" in repr(unknown)


def test_notebooks_get_tables_without_markup_from_models(pairs):
    session = session_of(SCALING)
    session.run(None, {"x": pairs})
    for page in (session._repr_html_(), session.model._repr_html_()):
        assert "<table>" in page and "float[n, 2]" in page
    assert "<td>any</td>" in session.stats().plans._repr_html_()
    assert pliant.Explanation("a < b")._repr_html_() == "<pre>a &lt; b</pre>"


def test_names_of_models_are_no_markup():
    onnx = __import__("pytest").importorskip("onnx")
    name = "<script>"
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Neg", [name], ["y"])],
        "names",
        [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["<i>"])],
        [onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None)],
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 20)], ir_version=10)
    session = pliant.InferenceSession(model.SerializeToString())
    for page in (session._repr_html_(), session.model._repr_html_()):
        assert name not in page and "<i>" not in page and "&lt;script&gt;" in page
