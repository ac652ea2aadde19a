"""What a call does beside the run in C++, as work that can be counted: Python code, memory, copies.
bench/peers/call_overhead.py takes the time."""

import gc
import sys
import tracemalloc

import numpy as np
import pytest

from conftest import SCALING, Exporter, session_of

ROWS = 1 << 17  # one MiB


def big():
    return np.ones((ROWS, 2), np.float32)


FEEDS = {
    "array": big,
    "read-only array": lambda: np.frombuffer(bytes(ROWS * 8), np.float32).reshape(ROWS, 2),
    "tensor": lambda: session_of(SCALING).run_tensors(None, {"x": big()})[0],
    "buffer": lambda: memoryview(big()),
    "DLPack": lambda: Exporter(big()),
}
NOT_ROW_MAJOR = lambda: np.ones((2, ROWS), np.float32).T  # noqa: E731


def python_functions_called(function):
    """Names of functions written in Python that run inside, not for the first time."""
    function()
    names = []

    def note(frame, event, argument):
        if event == "call":
            names.append(frame.f_code.co_qualname if sys.version_info >= (3, 11) else frame.f_code.co_name)

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return names[1:]  # the function itself


def peak_bytes(function):
    """The most that Python and NumPy held at one moment inside, beside what they held before."""
    function()
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        function()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("given", ["array", "read-only array", "tensor"])
def test_a_call_runs_no_python_code(scaling, given):
    feeds = {"x": FEEDS[given]()}
    assert python_functions_called(lambda: scaling.run(None, feeds)) == []
    assert python_functions_called(lambda: scaling.run(["y"], feeds)) == []
    assert python_functions_called(lambda: scaling.run_tensors(None, feeds)) == []


def test_python_code_would_be_noticed(scaling):
    feeds = {"x": Exporter(np.ones((2, 2), np.float32))}
    assert len(python_functions_called(lambda: scaling.run(None, feeds))) > 0


@pytest.mark.parametrize("given", FEEDS)
def test_a_call_takes_no_memory_for_what_it_is_given_or_gives(scaling, given):
    feeds = {"x": FEEDS[given]()}
    assert peak_bytes(lambda: scaling.run(None, feeds)) < 8192
    assert peak_bytes(lambda: scaling.run_tensors(None, feeds)) < 8192


def test_a_copy_would_be_noticed(scaling):
    feeds = {"x": NOT_ROW_MAJOR()}
    assert peak_bytes(lambda: scaling.run(None, feeds)) > ROWS * 8


def test_a_call_leaves_nothing_behind(scaling, pairs):
    feeds = {"x": pairs}

    def call(count):
        for _ in range(count):
            scaling.run(None, feeds)

    call(1000)
    gc.collect()
    stats, blocks, objects = scaling.stats(), sys.getallocatedblocks(), len(gc.get_objects())
    call(1000)
    assert len(gc.get_objects()) == objects
    assert sys.getallocatedblocks() - blocks < 500  # some are ours here; one a call would be 1000
    after = scaling.stats()
    assert (after.live_bytes, after.reserved_bytes) == (stats.live_bytes, stats.reserved_bytes)
    assert after.plans.total.bound_runs == stats.plans.total.bound_runs


def test_outputs_lie_where_the_run_wrote_them(scaling):
    stats = scaling.stats()
    [tensor] = scaling.run_tensors(None, {"x": big()})
    addresses = {
        tensor.numpy().ctypes.data,
        np.asarray(tensor).ctypes.data,
        np.from_dlpack(tensor).ctypes.data,
        np.frombuffer(tensor, np.float32).ctypes.data,
        scaling._input_addresses({"x": tensor})[0],
    }
    assert len(addresses) == 1
    held = scaling.stats().live_bytes - stats.live_bytes
    array = tensor.numpy()
    del tensor
    assert scaling.stats().live_bytes - stats.live_bytes == held >= array.nbytes
    del array
    assert scaling.stats().live_bytes == stats.live_bytes
