"""What a call from Python costs over the same run in C++.

    python bench/peers/call_overhead.py [--rounds N]

Wants the Python package of this repository. The model is tiny, so that what is left is the call. Within a
round C++ and each way of calling run in turn, so that whatever else the machine does meets all of them;
differences are medians over rounds of differences within one round, beside their quartiles.
"""

import argparse
import statistics
import time
from types import SimpleNamespace

import numpy
import pliant

CALLS = 500  # in a row, per round and way of calling


def session_with(inputs):
    """A session that adds `inputs` inputs f32[n, 2]."""
    lines = [f".input x{i} f32[n, 2]" for i in range(inputs)]
    lines += [".output y", *(f"LOAD_TENSOR r{i}, x{i}" for i in range(inputs))]
    total = "r0"
    for i in range(1, inputs):
        lines.append(f"ELEMENTWISE_ADD r{inputs + i}, {total}, r{i}")
        total = f"r{inputs + i}"
    lines.append(f"STORE_TENSOR y, {total}")
    model = pliant.Model.from_assembly("\n".join(lines) + "\n")
    return pliant.InferenceSession(model, pliant.SessionOptions(threads=1))


def ways_of_calling():
    """(name, session, feeds, method) of each."""
    one, eight = session_with(1), session_with(8)
    x = numpy.ones((3, 2), numpy.float32)
    [tensor] = one.run_tensors(None, {"x0": x})
    exported = SimpleNamespace(__dlpack__=x.__dlpack__, __dlpack_device__=x.__dlpack_device__)
    yield "one array", one, {"x0": x}, one.run
    yield "one array, pliant.Tensor out", one, {"x0": x}, one.run_tensors
    yield "pliant.Tensor in and out", one, {"x0": tensor}, one.run_tensors
    yield "one DLPack tensor", one, {"x0": exported}, one.run
    yield "one column-major array, copied", one, {"x0": numpy.asfortranarray(x)}, one.run
    yield "one list of lists", one, {"x0": [[1.0, 1.0]] * 3}, one.run
    yield "eight arrays", eight, {f"x{i}": x for i in range(8)}, eight.run


def seconds_per_call(method, feeds):
    start = time.perf_counter()
    for _ in range(CALLS):
        method(None, feeds)
    return (time.perf_counter() - start) / CALLS


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=51)
    rounds = parser.parse_args().rounds
    ways = list(ways_of_calling())
    alone = {name: [] for name, *_ in ways}
    added = {name: [] for name, *_ in ways}
    for _ in range(rounds + 1):
        for name, session, feeds, method in ways:
            in_cpp = session._seconds_per_run(feeds, CALLS)
            alone[name].append(in_cpp)
            added[name].append(seconds_per_call(method, feeds) - in_cpp)
    print(f"pliant {pliant.__version__}, NumPy {numpy.__version__}, {rounds} rounds of {CALLS} calls; microseconds")
    print(f"{'':32}{'run in C++':>12}{'Python adds':>13}{'quartiles':>16}")
    for name in added:
        times = [seconds * 1e6 for seconds in added[name][1:]]  # the first round warms up
        low, median, high = statistics.quantiles(times, n=4)
        cpp = statistics.median(alone[name][1:]) * 1e6
        print(f"{name:32}{cpp:12.2f}{median:13.2f}{f'{low:.2f} to {high:.2f}':>16}")


if __name__ == "__main__":
    main()
