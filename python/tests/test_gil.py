"""Whatever may take long lets other Python threads go on meanwhile."""

import functools
import itertools
import sys
import threading
import time

import numpy as np
import pytest

import pliant
from conftest import SCALING, session_of

ROWS = 1 << 20
CALLS = 500


class Counter:
    """A thread that counts whenever it has the GIL, and gives it up after each step."""

    def __init__(self):
        self.steps = 0
        self._ends = False
        self._thread = threading.Thread(target=self._count)

    def _count(self):
        while not self._ends:
            self.steps += 1
            time.sleep(0)

    def __enter__(self):
        # Nobody is made to give the GIL up, so that whoever counts inside a call was let.
        self._interval = sys.getswitchinterval()
        sys.setswitchinterval(1000)
        self._thread.start()
        return self

    def __exit__(self, *raised):
        self._ends = True
        self._thread.join()
        sys.setswitchinterval(self._interval)


def lets_others_go_on(prepare):
    """Whether somebody counts inside one of many calls: a short one may end before the other wakes up.
    `prepare` gives what is called."""
    with Counter() as counter:
        for _ in range(CALLS):
            call = prepare()
            before = counter.steps
            call()
            if counter.steps > before:
                return True
    return False


@pytest.fixture(scope="module")
def session():
    return session_of(SCALING, pliant.SessionOptions(threads=1, plans=pliant.PlanOptions(record=True)))


@pytest.fixture(scope="module")
def feeds():
    return {"x": np.ones((ROWS, 2), np.float32)}


RUNS = {
    "run": lambda session, feeds: session.run(None, feeds),
    "run by the interpreter": lambda session, feeds: session.run(None, feeds, tier="interpreter"),
    "run by an exact plan": lambda session, feeds: session.run(None, feeds, tier="exact"),
    "run_tensors": lambda session, feeds: session.run_tensors(None, feeds),
    "observe": lambda session, feeds: session.observe(None, feeds),
    "explain": lambda session, feeds: session.explain(feeds),
}
STEPS = 300
LONG = (
    ".input x f32[n, 2]\n.output y\nLOAD_TENSOR r0, x\n"
    + "".join(f"ELEMENTWISE_NEG r{i + 1}, r{i}\n" for i in range(STEPS))
    + f"STORE_TENSOR y, r{STEPS}\n"
)
MODEL = pliant.Model.from_assembly(LONG)


@pytest.mark.parametrize("run", RUNS)
def test_runs_let_other_threads_go_on(session, feeds, run):
    assert lets_others_go_on(lambda: lambda: RUNS[run](session, feeds))


def test_warming_up_lets_other_threads_go_on():
    recording = pliant.InferenceSession(MODEL, pliant.SessionOptions(plans=pliant.PlanOptions(record=True)))
    for rows in range(0, 200, 20):
        recording.run(None, {"x": np.ones((rows, 2), np.float32)})
    profile = recording.profile()
    sizes = itertools.count()
    assert lets_others_go_on(lambda: functools.partial(pliant.InferenceSession(MODEL).warm_up, profile))
    assert lets_others_go_on(lambda: functools.partial(recording.warm_up_exact, {"n": next(sizes)}))


def test_loading_lets_other_threads_go_on(tmp_path):
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    graph = helper.make_graph(
        [helper.make_node("Neg", [f"x{i}"], [f"x{i + 1}"]) for i in range(STEPS)],
        "long",
        [helper.make_tensor_value_info("x0", onnx.TensorProto.FLOAT, ["n"])],
        [helper.make_tensor_value_info(f"x{STEPS}", onnx.TensorProto.FLOAT, ["n"])],
    )
    data = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10).SerializeToString()
    path = tmp_path / "m.pbc"
    for call in (
        lambda: pliant.Model.from_onnx(data),
        lambda: pliant.Model.from_assembly(LONG),
        lambda: MODEL.save(path, replace=True),
        lambda: pliant.Model.load(path),
        lambda: pliant.InferenceSession(MODEL),
    ):
        assert lets_others_go_on(lambda call=call: call)


def test_keeping_the_gil_would_be_noticed(session):
    assert not lets_others_go_on(lambda: session.stats)
    assert not lets_others_go_on(lambda: lambda: sum(range(10_000)))
