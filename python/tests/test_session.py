"""The habits of InferenceSession, and what it has beside them."""

import json
import mmap
import pathlib

import numpy as np
import pytest

import pliant
from conftest import SCALING, session_of

TWO = """
.input a f32[rows, 3]
.input b i64[...]
.output sums
.output same
LOAD_TENSOR r0, a
LOAD_TENSOR r1, b
REDUCE_SUM r2, r0, axis=1
STORE_TENSOR sums, r2
STORE_TENSOR same, r1
"""

RESHAPED = """
.input x f32[n, 6]
.input target i64[2]
.output y
LOAD_TENSOR r0, x
LOAD_TENSOR r1, target
RESHAPE r2, r0, r1
ELEMENTWISE_NEG r3, r2
STORE_TENSOR y, r3
"""


def two_feeds():
    return {"a": np.ones((2, 3), np.float32), "b": np.array([7], np.int64)}


def test_describes_inputs_and_outputs():
    session = session_of(TWO)
    a, b = session.get_inputs()
    assert (a.name, a.shape, a.type) == ("a", ["rows", 3], "tensor(float)")
    assert (b.name, b.shape, b.type) == ("b", None, "tensor(int64)")
    sums, same = session.get_outputs()
    assert (sums.name, sums.type) == ("sums", "tensor(float)")
    assert sums.shape[0] == "rows"
    assert (same.shape, same.type) == (None, "tensor(int64)")


def test_outputs_come_in_the_order_asked_for():
    session = session_of(TWO)
    sums, same = session.run(None, two_feeds())
    assert sums.reshape(-1).tolist() == [3, 3]
    assert same.tolist() == [7]
    assert [each.dtype for each in session.run(["same", "sums"], two_feeds())] == [np.int64, np.float32]
    assert len(session.run([], two_feeds())) == 2
    assert len(session.run(("same",), two_feeds())) == 1


def test_feeds_may_be_any_mapping():
    class Feeds:
        def keys(self):
            return two_feeds().keys()

        def __getitem__(self, name):
            return two_feeds()[name]

    assert len(session_of(TWO).run(None, Feeds())) == 2
    with pytest.raises(TypeError, match="list"):
        session_of(TWO).run(None, [1, 2])


def test_defaults_may_be_left_out():
    session = session_of(".const one f32[] = full(1.0)\n.input x f32[] = one\n.output y\nLOAD_TENSOR r0, x\nSTORE_TENSOR y, r0\n")
    assert session.get_inputs() == []  # which are those that have to be fed
    [x] = session.get_overridable_initializers()
    assert (x.name, x.has_default) == ("x", True)
    assert [info.name for info in session.model.inputs] == ["x"]
    assert session.run(None, {})[0] == 1
    assert session.run(None, {"x": 2.5})[0] == 2.5


def test_models_come_from_paths_bytes_and_models(tmp_path, pairs):
    model = pliant.Model.from_assembly(SCALING)
    model.save(tmp_path / "m.pbc")
    (tmp_path / "m.pasm").write_text(model.to_assembly())
    for source in (model, tmp_path / "m.pbc", str(tmp_path / "m.pasm")):
        assert pliant.InferenceSession(source).run(None, {"x": pairs})[0].tolist() == [[2, 3], [4, 6], [6, 9]]
    with pytest.raises(pliant.InvalidArgumentError, match="m.pbc"):
        model.save(tmp_path / "m.pbc")
    model.save(tmp_path / "m.pbc", replace=True)


def onnx_model():
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "product",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["batch", 8])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, ["batch", 4])],
        [onnx.numpy_helper.from_array(np.arange(32, dtype=np.float32).reshape(8, 4), "w")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


def test_onnx_models_come_as_any_bytes(tmp_path):
    data = onnx_model().SerializeToString()
    path = tmp_path / "m.onnx"
    path.write_bytes(data)
    x = np.ones((3, 8), np.float32)
    expected = x @ np.arange(32, dtype=np.float32).reshape(8, 4)
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for source in (data, bytearray(data), memoryview(data), mapped, path):
            session = pliant.InferenceSession(source)
            np.testing.assert_array_equal(session.run(["y"], {"x": x})[0], expected)
    assert session.get_inputs()[0].shape == ["batch", 8]
    assert session.get_outputs()[0].shape == ["batch", 4]


def test_external_data_is_found_beside_the_model_only(tmp_path):
    onnx = pytest.importorskip("onnx")
    model = onnx_model()
    path = tmp_path / "m.onnx"
    onnx.save(model, str(path), save_as_external_data=True, location="weights.bin", size_threshold=0)
    assert (tmp_path / "weights.bin").stat().st_size == 128
    x = np.ones((1, 8), np.float32)
    assert pliant.InferenceSession(path).run(None, {"x": x})[0].shape == (1, 4)
    with pytest.raises(pliant.UnsupportedError, match="weights"):
        pliant.InferenceSession(path.read_bytes())


def test_other_sources_are_type_errors():
    for source in (3, None, [1]):
        with pytest.raises(TypeError):
            pliant.InferenceSession(source)


def test_habits_of_calling_the_class_go_on(pairs):
    model = pliant.Model.from_assembly(SCALING)
    events = []
    options = pliant.SessionOptions(log=events.append)
    pliant.InferenceSession(model, options, pliant.get_available_providers())
    pliant.InferenceSession(model, sess_options=options, providers=["CPUExecutionProvider"])
    assert [event.kind for event in events] == ["load", "load"]
    with pytest.raises(TypeError, match="sess_options"):
        pliant.InferenceSession(model, options, sess_options=options)


def test_sizes_of_feeds_are_named():
    session = session_of(TWO.replace("i64[...]", "i64[k, 1, rows]"))
    feeds = {"a": [[1.0, 2.0, 3.0]] * 4, "b": np.zeros((7, 1, 4), np.int64)}
    assert session.sizes_of(feeds) == {"rows": 4, "k": 7}
    assert session.sizes_of({"b": session.run_tensors(["same"], feeds)[0]}) == {"rows": 4, "k": 7}
    assert session_of(TWO).sizes_of(two_feeds()) == {"rows": 2}  # nothing is said of the axes of b
    session.warm_up_exact(session.sizes_of(feeds))
    assert session.estimate(session.sizes_of(feeds)).input_bytes == 4 * 3 * 4 + 7 * 4 * 8
    with pytest.raises(pliant.InvalidArgumentError, match="'c'.*inputs are a, b"):
        session.sizes_of({"c": 1})
    with pytest.raises(pliant.ShapeMismatchError, match="'a'.*rows, 3.*2, 3, 1"):
        session.sizes_of({"a": np.zeros((2, 3, 1))})


def test_only_the_processor_is_a_provider():
    model = pliant.Model.from_assembly(SCALING)
    assert pliant.get_available_providers() == ["CPUExecutionProvider"]
    session = pliant.InferenceSession(model, providers=["CUDAExecutionProvider", ("CPUExecutionProvider", {})])
    assert session.get_providers() == ["CPUExecutionProvider"]
    with pytest.raises(pliant.InvalidArgumentError, match="CUDA"):
        pliant.InferenceSession(model, providers=["CUDAExecutionProvider"])


@pytest.mark.parametrize("tier", ["interpreter", "any", "bucketed", "exact"])
def test_a_run_may_ask_for_a_tier(scaling, pairs, tier):
    observed = scaling.observe(None, {"x": pairs}, tier=tier)
    assert [each.tier for each in observed.segments] == [tier]
    np.testing.assert_array_equal(observed.outputs[0], scaling.run(None, {"x": pairs})[0])
    assert json.loads(observed.trace)


def test_unknown_tiers_are_named(scaling, pairs):
    with pytest.raises(pliant.InvalidArgumentError, match="fastest"):
        scaling.run(None, {"x": pairs}, tier="fastest")


def test_explains(scaling, pairs):
    text = scaling.explain({"x": pairs}, tier="exact")
    assert "ELEMENTWISE_MUL" in text and "tier exact" in text
    assert repr(text) == str(text)
    assert text._repr_html_().startswith("<pre>")


def test_records_profiles_and_warms_up_from_them(tmp_path, pairs):
    recording = session_of(SCALING, pliant.SessionOptions(plans=pliant.PlanOptions(record=True)))
    for _ in range(3):
        recording.run(None, {"x": pairs})
    profile = recording.profile()
    path = tmp_path / "traffic.json"
    path.write_text(profile)
    for source in (profile, json.loads(profile), path, str(path)):
        session = session_of(SCALING)
        session.warm_up(source)
    options = pliant.SessionOptions(plans=pliant.PlanOptions(warm_up_profile=path, compiling="sealed"))
    session_of(SCALING, options)
    with pytest.raises(pliant.CorruptError):
        session_of(SCALING).warm_up("{]")
    with pytest.raises(FileNotFoundError):
        session_of(SCALING).warm_up(pathlib.Path("nowhere.json"))


def test_warms_up_exact_sizes(scaling):
    scaling.warm_up_exact({"n": 3})
    with pytest.raises(pliant.InvalidArgumentError, match="'m'"):
        scaling.warm_up_exact({"n": 3, "m": 1})


def test_estimates_memory(scaling):
    bytes_of = scaling.estimate({"n": 1000})
    assert (bytes_of.input_bytes, bytes_of.output_bytes) == (8000, 8000)
    assert "output_bytes=8000" in repr(bytes_of)
    with pytest.raises(pliant.InvalidArgumentError, match="'n' is missing"):
        scaling.estimate({})
    with pytest.raises(pliant.ResourceExhaustedError):
        scaling.estimate({"n": 1 << 61})


def test_estimates_memory_where_values_of_inputs_decide():
    session = session_of(RESHAPED)
    bytes_of = session.estimate({"n": 4, "target[0]": -1, "target[1]": 3})
    assert (bytes_of.input_bytes, bytes_of.output_bytes) == (4 * 6 * 4 + 16, 4 * 6 * 4)
    with pytest.raises(pliant.InvalidArgumentError, match=r"'target\[1\]'"):
        session.estimate({"n": 4, "target[0]": -1})


def test_counts_runs(scaling, pairs):
    scaling.run(None, {"x": pairs})
    with pytest.raises(pliant.Error):
        scaling.run(None, {})
    stats = scaling.stats()
    assert (stats.runs, stats.failed_runs) == (1, 1)
    assert stats.plans.total.any_runs == 1
    assert stats.plans.segments[0].plans[0].is_floor
    assert stats.plans.segments[0].entries == ["n"]
    assert "runs=1" in repr(stats)
    scaling.finish_compiling()
    assert scaling.trim() >= 0


def test_outputs_outlive_the_session(pairs):
    y = session_of(SCALING).run(None, {"x": pairs})[0]
    assert y.tolist() == [[2, 3], [4, 6], [6, 9]]


def test_names_that_are_not_utf8_come_and_go():
    onnx = pytest.importorskip("onnx")
    name = "\u00e9t\u00e9 <b>"
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Neg", [name], ["-" + name])],
        "names",
        [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n"])],
        [onnx.helper.make_tensor_value_info("-" + name, onnx.TensorProto.FLOAT, ["n"])],
    )
    data = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 20)], ir_version=10)
    latin = data.SerializeToString().replace(name.encode(), name.encode("latin-1") + b"__")
    for source, expected in ((data.SerializeToString(), name), (latin, None)):
        session = pliant.InferenceSession(source)
        found = session.get_inputs()[0].name
        assert expected is None or found == expected
        assert session.run([session.get_outputs()[0].name], {found: np.ones(1, np.float32)})[0] == -1
