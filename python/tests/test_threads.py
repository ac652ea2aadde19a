"""Threads, signals and forks."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import pliant
from conftest import SCALING, session_of

# A product of n x n matrices, over and over: as long as one likes.
WORK = """
.input x f32[n, n]
.output y
LOAD_TENSOR r0, x
""" + "".join(f"MATMUL r{i + 1}, r{i}, r0\n" for i in range(200)) + "STORE_TENSOR y, r200\n"


def test_other_threads_go_on_while_a_model_runs():
    session = session_of(WORK, pliant.SessionOptions(threads=1))
    x = np.zeros((256, 256), np.float32)
    steps = []
    running = threading.Event()
    done = threading.Event()

    def count():
        while not done.is_set():
            if running.is_set():
                steps.append(time.perf_counter())
            time.sleep(0)

    counter = threading.Thread(target=count)
    counter.start()
    try:
        running.set()
        start = time.perf_counter()
        session.run(None, {"x": x})
        end = time.perf_counter()
    finally:
        done.set()
        counter.join()
    # Strictly inside the run: with the GIL held there would be none.
    inside = [step for step in steps if start + 0.1 * (end - start) < step < end - 0.1 * (end - start)]
    assert len(inside) > 3


def test_many_threads_share_a_session(scaling):
    wrong = []

    def work(seed):
        random = np.random.default_rng(seed)
        for _ in range(200):
            x = random.random((int(random.integers(1, 40)), 2), dtype=np.float32)
            y = scaling.run(None, {"x": x})[0]
            if not np.array_equal(y, x * np.array([2, 3], np.float32)):
                wrong.append(x.shape)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert scaling.stats().runs == 1600


def test_an_interrupt_is_raised_when_the_run_returns():
    session = session_of(WORK, pliant.SessionOptions(threads=1))
    x = np.zeros((192, 192), np.float32)
    alone = session._seconds_per_run({"x": x}, 1)
    timer = threading.Timer(alone / 4, os.kill, (os.getpid(), signal.SIGINT))
    # A process in the background of a shell is started with the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            for _ in range(50):
                session.run(None, {"x": x})
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert session.run(None, {"x": x})[0].shape == (192, 192)


def run_python(code, **arguments):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60, check=False, **arguments
    )


def test_a_forked_child_runs_on():
    code = f"""
        import os, sys, numpy as np, pliant
        model = pliant.Model.from_assembly({SCALING!r})
        session = pliant.InferenceSession(model, pliant.SessionOptions(threads=2))
        x = np.ones((100000, 2), np.float32)
        session.run(None, {{"x": x}})
        child = os.fork()
        y = session.run(None, {{"x": x}})[0]
        pliant.InferenceSession(model).run(None, {{"x": x}})
        assert y[0].tolist() == [2, 3]
        if child == 0:
            sys.exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        print("both")
    """
    done = run_python(code)
    assert (done.returncode, done.stdout) == (0, "both\n"), done.stderr


def test_a_forked_child_compiles_and_ends():
    code = """
        import os, sys, time, numpy as np, pliant
        cut = ".input x f32[n, 2]\\n.output y\\nLOAD_TENSOR r0, x\\nSLICE r1, r0, [0], [64], axes=[0]\\nSTORE_TENSOR y, r1\\n"
        plans = pliant.PlanOptions(min_compile_iters=1)
        session = pliant.InferenceSession(pliant.Model.from_assembly(cut), pliant.SessionOptions(plans=plans))
        session.run(None, {"x": np.ones((3, 2), np.float32)})
        session.finish_compiling()
        child = os.fork()
        if child == 0:
            session.run(None, {"x": np.ones((20, 2), np.float32)})
            session.finish_compiling()
            assert session.stats().plans.total.compiles == 2
            del session
            sys.exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        print("parent")
    """
    done = run_python(code)
    assert (done.returncode, done.stdout) == (0, "parent\n"), done.stderr


def test_python_ends_while_a_session_compiles():
    code = f"""
        import numpy as np, pliant
        options = pliant.SessionOptions(log=lambda event: None, plans=pliant.PlanOptions(min_compile_iters=1))
        session = pliant.InferenceSession(pliant.Model.from_assembly({SCALING!r}), options)
        session.run(None, {{"x": np.ones((3, 2), np.float32)}})
    """
    done = run_python(code)
    assert (done.returncode, done.stderr) == (0, "")
