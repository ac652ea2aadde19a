"""What a call costs beside the run in C++. Only printed: a busy machine is no failure."""

import time

import numpy as np

from conftest import SCALING, session_of


def seconds_per_call(session, feeds, count):
    start = time.perf_counter()
    for _ in range(count):
        session.run(None, feeds)
    return (time.perf_counter() - start) / count


def test_overhead_is_told(pairs, record_property):
    session = session_of(SCALING)
    feeds = {"x": pairs}
    differences = []
    for _ in range(20):
        alone = session._seconds_per_run(feeds, 500)
        differences.append(seconds_per_call(session, feeds, 500) - alone)
    overhead = sorted(differences)[len(differences) // 2] * 1e6
    print(f"Python adds {overhead:.2f} us to a call with one input and one output")
    record_property("overhead_us", overhead)
    assert np.isfinite(overhead)
