"""Calls leak nothing, whether they fail or not: neither objects nor references, neither memory nor tensors.

Each kind of failure is called 10,000 times. What is given is large enough that one of thirty calls would
show if it stayed.
"""

import ctypes
import datetime
import gc
import itertools
import sys
import tracemalloc

import numpy as np
import pytest

import pliant
from conftest import SCALING, Exporter, identity_of, session_of
from test_session import onnx_model

CALLS = 10_000
BIG = np.zeros((1 << 11, 2), np.float32)  # 16 KiB
SHARED = session_of(SCALING)
SMALL = session_of(SCALING, pliant.SessionOptions(max_bytes=1 << 12))
SEALED = session_of(SCALING, pliant.SessionOptions(plans=pliant.PlanOptions(compiling="sealed")))


def feed(value, name="x"):
    return lambda: SHARED.run(None, {name: value})


class Raising:
    """A tensor of another library that does not get as far as being one."""

    def __init__(self, raised):
        self.raised = raised

    def __dlpack__(self, **keywords):
        raise self.raised("not today", bytes(1 << 14))

    def __dlpack_device__(self):
        return (1, 0)


class Giving(Raising):
    def __init__(self, make):
        self.make = make

    def __dlpack__(self, **keywords):
        return self.make()


def spent_capsule():
    capsule = BIG.__dlpack__()
    np.from_dlpack(Giving(lambda: capsule))
    return capsule


class RaisingFeeds:
    def keys(self):
        return ["x", "z"]

    def __getitem__(self, name):
        if name == "z":
            raise KeyError(name, bytes(1 << 14))
        return BIG


def unnamed_output():
    SHARED.run(["y", "q"], {"x": BIG})


def bad_model(data):
    return lambda: pliant.InferenceSession(data)


MODEL = onnx_model().SerializeToString()
WRONG_OPERATOR = MODEL.replace(b"MatMul", b"NatMul")

RUNS = {
    "unknown input": feed(BIG, "z"),
    "one input too many": lambda: SHARED.run(None, {"x": BIG, "z": BIG}),
    "missing input": lambda: SHARED.run(None, {}),
    "extent": feed(np.zeros((1 << 11, 3), np.float32)),
    "extent, not row-major": feed(np.zeros((3, 1 << 11), np.float32).T),
    "rank": feed(BIG[0]),
    "nine axes": feed(BIG.reshape((1,) * 7 + BIG.shape)),
    "element type": feed(BIG.astype(np.float64)),
    "element type of a number": feed(np.float64(1)),
    "element type that there is not": feed(BIG.astype(np.complex64)),
    "no tensor": feed(object()),
    "text": feed("x" * (1 << 14)),
    "ragged lists": feed([[1.0, 2.0], [3.0]]),
    "a list of other things": feed(["a", "b"]),
    "a buffer of another type": feed(bytes(1 << 14)),
    "pliant.Tensor of another shape": feed(identity_of("f32").run_tensors(None, {"x": BIG[np.newaxis]})[0]),
    "feeds that are no mapping": lambda: SHARED.run(None, [BIG]),
    "feeds that raise": lambda: SHARED.run(None, RaisingFeeds()),
    "name that is no text": feed(BIG, 1),
    "unknown output": unnamed_output,
    "outputs as one text": lambda: SHARED.run("y", {"x": BIG}),
    "output that is no name": lambda: SHARED.run([1], {"x": BIG}),
    "unknown tier": lambda: SHARED.run(None, {"x": BIG}, tier="best"),
    "tier that cannot be had": lambda: SEALED.run(None, {"x": BIG}, tier="exact"),
    "no memory": lambda: SMALL.run(None, {"x": BIG}),
    "DLPack that raises": feed(Raising(RuntimeError)),
    "DLPack that raises a TypeError": feed(Raising(TypeError)),
    "DLPack without a capsule": feed(Giving(dict)),
    "DLPack with a spent capsule": feed(Giving(spent_capsule)),
    "DLPack of another shape": feed(Exporter(np.zeros((1 << 11, 3), np.float32))),
    "DLPack of another shape, not row-major": feed(Exporter(np.zeros((3, 1 << 11), np.float32).T)),
    "DLPack of another type": feed(Exporter(BIG.astype(np.int32))),
    "DLPack of a type that there is not": feed(Exporter(BIG.astype(np.complex64))),
}
OTHERS = {
    "run_tensors": lambda: SHARED.run_tensors(["q"], {"x": BIG}),
    "observe": lambda: SHARED.observe(None, {"x": BIG[:, :1]}),
    "explain": lambda: SHARED.explain({"x": BIG[:, :1]}),
    "estimate": lambda: SHARED.estimate({"m": 1}),
    "estimate of too much": lambda: SHARED.estimate({"n": 1 << 61}),
    "sizes_of": lambda: SHARED.sizes_of({"x": BIG[0]}),
    "warm_up with no profile": lambda: SHARED.warm_up("{]" + " " * (1 << 14)),
    "warm_up with no file": lambda: SHARED.warm_up("nowhere.json"),
    "warm_up_exact": lambda: SHARED.warm_up_exact({"n": "3"}),
    "export to another device": lambda: SHARED.run_tensors(None, {"x": BIG})[0].__dlpack__(dl_device=(2, 0)),
    "model of other bytes": bad_model(b"this is no model" * (1 << 10)),
    "model that ends too soon": bad_model(MODEL[:-20]),
    "model with an unknown operator": bad_model(WRONG_OPERATOR),
    "model that is no model": bad_model(3),
    "model in pieces": bad_model(memoryview(bytes(1 << 14))[::2]),
    "missing file": bad_model("nowhere.onnx"),
    "assembly": lambda: pliant.Model.from_assembly(SCALING + "NO_SUCH r0\n"),
    "program": lambda: pliant.Model.from_assembly(".output y\nELEMENTWISE_NEG r1, r0\nSTORE_TENSOR y, r1\n"),
    "providers": lambda: pliant.InferenceSession(SHARED.model, providers=["CUDAExecutionProvider"]),
    "unknown option": lambda: pliant.SessionOptions(log=BIG.sum, tread=1),
    "option of another type": lambda: pliant.SessionOptions(threads="many"),
    "option of another kind": lambda: pliant.PlanOptions(tier="best"),
    "option out of range": lambda: pliant.InferenceSession(SHARED.model, pliant.SessionOptions(threads=-1, log=BIG.sum)),
    "time out of range": lambda: pliant.InferenceSession(
        SHARED.model, pliant.SessionOptions(plans=pliant.PlanOptions(breaker_window=datetime.timedelta(days=9)))
    ),
    "log that is no function": lambda: pliant.SessionOptions(log=3),
}


def fails(call):
    try:
        call()
    except Exception:  # noqa: BLE001, kinds of errors are for test_errors.py
        return
    raise AssertionError("that was no failure")


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


WATCHED = (BIG, SHARED, SHARED.model, pliant.Error, pliant.ShapeMismatchError, np.dtype(np.float32), np.ndarray)


def leaves_nothing(call, count=CALLS):
    """Calls over and over; afterwards everything is as it was."""
    for _ in range(300):
        call()
    gc.collect()
    stats = SHARED.stats()
    references = [sys.getrefcount(each) for each in WATCHED]
    objects = len(gc.get_objects())
    tracemalloc.start()  # of Python and NumPy; costs time, so only a part of the calls
    for _ in range(100):
        call()
    gc.collect()
    traced = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert traced < 100 * 200, "bytes that Python holds"
    blocks, resident = sys.getallocatedblocks(), resident_bytes()
    for _ in range(count):
        call()
    gc.collect()
    assert sys.getallocatedblocks() - blocks < count / 20 + 200
    assert resident_bytes() - resident < 4 << 20
    assert [sys.getrefcount(each) for each in WATCHED] == references
    assert len(gc.get_objects()) - objects < count / 20 + 50  # some are pytest's
    after = SHARED.stats()
    assert (after.live_bytes, after.reserved_bytes) == (stats.live_bytes, stats.reserved_bytes)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("failure", RUNS)
def test_failing_runs_leak_nothing(failure):
    leaves_nothing(lambda: fails(RUNS[failure]))
    SHARED.run(None, {"x": BIG})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("failure", OTHERS)
def test_other_failures_leak_nothing(failure):
    leaves_nothing(lambda: fails(OTHERS[failure]))


def test_a_log_that_raises_leaks_nothing(monkeypatch):
    told = []
    monkeypatch.setattr("sys.unraisablehook", lambda raised: told.append(raised.exc_type))

    def log(event):
        raise RuntimeError(event.fields, bytes(1 << 14))

    session = session_of(SCALING, pliant.SessionOptions(log=log))

    def call():
        told.clear()
        fails(lambda: session.run(None, {"x": BIG[:, :1]}))
        assert told == [RuntimeError]

    leaves_nothing(call)


def test_runs_leak_nothing():
    turned = np.zeros((2, 1 << 12), np.float32).T

    def call():
        SHARED.run(None, {"x": BIG})
        SHARED.run(["y"], {"x": turned})
        SHARED.run(None, {"x": Exporter(BIG)})
        np.from_dlpack(SHARED.run_tensors(None, {"x": BIG})[0])

    leaves_nothing(call, 2000)


def test_sessions_leak_nothing():
    def call():
        session = pliant.InferenceSession(MODEL, pliant.SessionOptions(log=lambda event: None))
        session.run(None, {"x": np.ones((3, 8), np.float32)})
        session.stats(), session.profile(), session.estimate({"batch": 3})

    leaves_nothing(call, 300)


LIBC = ctypes.CDLL(None)
LIBC.malloc.restype = ctypes.c_void_p
LIBC.malloc.argtypes = [ctypes.c_size_t]
LIBC.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]
KEPT = []
CALL = itertools.count()
LEAKS = {
    "a reference": lambda: ctypes.pythonapi.Py_IncRef(ctypes.py_object(BIG)),
    "an object": lambda: KEPT.append([]),
    "bytes of one call in twenty": lambda: KEPT.extend([bytes(1 << 14)] if next(CALL) % 20 == 0 else []),
    "memory that Python does not know of": lambda: LIBC.memset(LIBC.malloc(1 << 12), 1, 1 << 12),
    "a tensor": lambda: KEPT.append(SHARED.run_tensors(None, {"x": BIG[:1]})[0]),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_would_be_noticed(leak):
    with pytest.raises(AssertionError):
        leaves_nothing(LEAKS[leak], 2000)
    KEPT.clear()
