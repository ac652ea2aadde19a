"""What is measured is what happened: by a clock that the test moves."""

import itertools

import numpy as np
import pytest

import pliant
from conftest import SCALING, session_of
from pliant import measure


class Clock:
    """Seconds that pass only when something is called that takes them."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now

    def spend(self, seconds):
        self.now += seconds


def test_latency_times_each_call_at_each_size_after_a_first_one():
    clock = Clock()
    order = []

    def taking(name, seconds_per_row):
        def call(feeds):
            first = (name, len(feeds["x"])) not in order
            order.append((name, len(feeds["x"])))
            clock.spend(1000 if first else len(feeds["x"]) * seconds_per_row)

        return call

    calls = {"slow": taking("slow", 2.0), "fast": taking("fast", 0.5)}
    slow, fast = measure.latency(calls, lambda size: {"x": [0] * size}, [1, 4], rounds=3, clock=clock)
    assert slow == ("slow", [1, 4], [[2.0] * 3, [8.0] * 3])
    assert fast == ("fast", [1, 4], [[0.5] * 3, [2.0] * 3])
    # In turn, so that what else the machine does meets both.
    assert order[2:8] == [("slow", 1), ("fast", 1)] * 3


def test_latency_makes_feeds_once_per_size():
    made = []
    measure.latency({"a": len, "b": len}, lambda size: made.append(size) or [], [3, 1], rounds=2)
    assert made == [3, 1]


def test_tiers_are_run_by_name(scaling, pairs):
    calls = measure.tier_calls(scaling, ("any", "exact"))
    assert list(calls) == ["any", "exact"]
    for call in calls.values():
        np.testing.assert_array_equal(call({"x": pairs})[0], pairs * np.array([2, 3], np.float32))
    total = scaling.stats().plans.total
    assert (total.any_runs, total.exact_runs) == (1, 1)
    with pytest.raises(pliant.InvalidArgumentError, match="best"):
        measure.tier_calls(scaling, ["best"])["best"]({"x": pairs})


def test_a_recorder_writes_down_events_and_samples(pairs):
    clock = Clock()
    recorder = measure.Recorder(clock)
    options = pliant.SessionOptions(log=recorder.log, plans=pliant.PlanOptions(compiling="sync", min_compile_iters=3))
    clock.spend(1)
    session = session_of(SCALING, options)
    for _ in range(4):
        clock.spend(1)
        session.run(None, {"x": pairs})
        recorder.sample(session)
    with pytest.raises(pliant.InvalidArgumentError):
        session.run(None, {})
    assert [event.kind for event in recorder.events] == ["load", "compile", "run"]
    assert [event.seconds for event in recorder.events] == [1, 4, 5]
    assert recorder.events[0].fields["instructions"] == "3"
    assert recorder.events[2].level == "error"
    assert [sample.seconds for sample in recorder.samples] == [2, 3, 4, 5]
    assert [sum(sample.runs.values()) for sample in recorder.samples] == [1, 2, 3, 4]
    assert recorder.samples[0].runs["any"] == 1
    stats, last = session.stats(), recorder.samples[-1]
    assert last.plans == stats.plans.total.plans + stats.plans.total.floor_plans > 0
    assert last.plan_bytes == stats.plans.total.plan_bytes + stats.plans.total.floor_bytes > 0
    assert (last.live_bytes, last.reserved_bytes, last.peak_bytes) == (stats.live_bytes, stats.reserved_bytes, stats.peak_bytes)


def test_live_bytes_are_those_that_someone_holds(scaling):
    recorder = measure.Recorder()
    held = scaling.run_tensors(None, {"x": np.ones((1000, 2), np.float32)})
    assert recorder.sample(scaling).live_bytes >= held[0].nbytes == 8000
    del held
    assert recorder.sample(scaling).live_bytes < 8000
    assert recorder.samples[1].peak_bytes >= 8000


def test_watching_takes_samples_before_meanwhile_and_after(scaling, pairs):
    recorder = measure.Recorder()
    with recorder.watch(scaling, every=0.0001) as same:
        assert same is recorder
        while len(recorder.samples) < 5:  # one at once, others by the thread
            scaling.run(None, {"x": pairs})
        scaling.run(None, {"x": pairs})
    runs = [sum(sample.runs.values()) for sample in recorder.samples]
    assert runs[0] == 0 and runs[-1] == scaling.stats().runs
    assert all(before <= after for before, after in itertools.pairwise(runs))
    taken = len(recorder.samples)
    scaling.run(None, {"x": pairs})
    assert len(recorder.samples) == taken


def test_watching_ends_with_what_is_raised(scaling):
    recorder = measure.Recorder()
    with pytest.raises(KeyError), recorder.watch(scaling, every=60):
        raise KeyError
    assert len(recorder.samples) == 2
