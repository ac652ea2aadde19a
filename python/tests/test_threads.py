"""Threads, signals and forks."""

import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import pliant
from conftest import SCALING, session_of


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


def run_python(code, **arguments):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60, check=False, **arguments
    )


# Programs of x f32[n] and a size m. With the m beside them they would run for hours, or at least for seconds.
LONG = {
    "matmul": (
        """
BROADCAST_TO r1, r0, [m, n]
BROADCAST_TO r2, 0.5, [n, m]
MATMUL r3, r1, r2
REDUCE_SUM r4, r3
STORE_TENSOR y, r4
""",
        6000,
    ),
    "broadcast_sum": (
        """
BROADCAST_TO r1, r0, [m, n]
REDUCE_SUM r2, r1
STORE_TENSOR y, r2
""",
        40_000_000_000,
    ),
    "loop": (
        """
@loop:
LOOP_BEGIN r1, m, @done
ELEMENTWISE_ADD r0, r0, 1.0
LOOP_END @loop
@done:
STORE_TENSOR y, r0
""",
        10**12,
    ),
}
DECLARATIONS = ".input x f32[n]\n.input size f32[m, 0]\n.output y\nLOAD_TENSOR r0, x\n"


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("name", "call"),
    [(name, "run") for name in LONG] + [("broadcast_sum", call) for call in ("run_tensors", "observe", "explain")],
)
def test_an_interrupt_ends_a_run_in_its_middle(name, call, threads):
    instructions, long = LONG[name]
    arguments = "feeds" if call == "explain" else "None, feeds"
    code = f"""
        import os, signal, threading, numpy as np, pliant
        # A process in the background of a shell is started with the signal ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        model = pliant.Model.from_assembly({DECLARATIONS + instructions!r})
        session = pliant.InferenceSession(model, pliant.SessionOptions(threads={threads}))
        x = np.linspace(-1, 1, 6000, dtype=np.float32)

        def feeds_of(m):
            return {{"x": x, "size": np.zeros((m, 0), np.float32)}}

        expected = session.run(None, feeds_of(3))[0]
        feeds = feeds_of({long})
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            session.{call}({arguments})
        except KeyboardInterrupt:
            assert session.stats().failed_runs == 1
        else:
            raise AssertionError("it ran to its end")
        timer.join()
        assert np.array_equal(session.run(None, feeds_of(3))[0], expected)
        os._exit(7)
    """
    done = run_python(code)
    assert done.returncode == 7, done.stderr


def test_a_handler_may_raise_what_it_likes_or_nothing():
    instructions, long = LONG["broadcast_sum"]
    code = f"""
        import os, signal, threading, numpy as np, pliant
        calls = []

        def handle(number, frame):
            calls.append(number)
            if len(calls) == 3:
                raise ZeroDivisionError("of the handler")

        signal.signal(signal.SIGUSR1, handle)
        session = pliant.InferenceSession(pliant.Model.from_assembly({DECLARATIONS + instructions!r}))

        def send():
            for count in (1, 2, 3):
                os.kill(os.getpid(), signal.SIGUSR1)
                while len(calls) < count:
                    pass

        threading.Thread(target=send).start()
        try:
            session.run(None, {{"x": np.ones(4, np.float32), "size": np.zeros(({long}, 0), np.float32)}})
        except ZeroDivisionError as error:
            assert str(error) == "of the handler"
            assert len(calls) == 3
            os._exit(7)
    """
    done = run_python(code)
    assert done.returncode == 7, done.stderr


@pytest.mark.parametrize("tier", ["auto", "interpreter"])
def test_a_timeout_ends_a_run_in_any_thread(tier):
    instructions, long = LONG["broadcast_sum"]
    session = session_of(DECLARATIONS + instructions)
    x = np.ones(4, np.float32)
    caught = []

    def work():
        try:
            session.run(None, {"x": x, "size": np.zeros((long, 0), np.float32)}, tier=tier, timeout=0.1)
        except pliant.CancelledError as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    work()
    assert len(caught) == 2
    for error in caught:
        assert isinstance(error, TimeoutError)
        assert error.code == "cancelled"
        assert "REDUCE_SUM" in error.where or ":" in error.where
    small = {"x": x, "size": np.zeros((3, 0), np.float32)}
    assert session.run(None, small, timeout=1000)[0] == 12
    assert session.run(None, small, timeout=None)[0] == 12


@pytest.mark.parametrize("timeout", [-1, float("nan")])
def test_a_timeout_is_no_negative_number(scaling, timeout):
    with pytest.raises(ValueError, match="timeout"):
        scaling.run(None, {"x": np.ones((1, 2), np.float32)}, timeout=timeout)


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
