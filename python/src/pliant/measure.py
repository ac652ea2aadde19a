"""Measures what pliant.plot draws: how long calls take by size, and what a session does while it
serves. All of it is plain data, to be drawn, stored or compared; matplotlib is not needed here."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from . import _core
from ._session import InferenceSession

TIERS = ("interpreter", "any", "bucketed", "exact")
"""What may execute a run, the least specialised first."""


class Latency(NamedTuple):
    """How long one kind of call took, by size."""

    name: str
    sizes: list[int]
    seconds: list[list[float]]
    """For each size what each round took."""


def latency(
    calls: Mapping[str, Callable[[Any], object]],
    make_feeds: Callable[[int], Any],
    sizes: Sequence[int],
    *,
    rounds: int = 20,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Latency]:
    """Times each call(feeds) at each size; `calls` have names.

    make_feeds(size) makes what all calls get at that size. In each round every call has its turn, so
    that whatever else the machine does meets all of them; the first call of each at a size, which may
    compile something, is not timed. `clock` gives seconds. What a call raises goes through.
    """
    results = [Latency(name, list(sizes), []) for name in calls]
    for size in sizes:
        feeds = make_feeds(size)
        for call in calls.values():
            call(feeds)
        times: list[list[float]] = [[] for _ in calls]
        for _ in range(rounds):
            for call, taken in zip(calls.values(), times):
                start = clock()
                call(feeds)
                taken.append(clock() - start)
        for result, taken in zip(results, times):
            result.seconds.append(taken)
    return results


def tier_calls(
    session: InferenceSession, tiers: Sequence[str] = ("interpreter", "any", "exact")
) -> dict[str, Callable[[Any], object]]:
    """Calls for latency(): a run of the session by each tier. A tier that the model cannot have at
    some size is an UnsupportedError there."""

    def runs_by(tier: Any) -> Callable[[Any], object]:
        return lambda feeds: session.run(None, feeds, tier=tier)

    return {tier: runs_by(tier) for tier in tiers}


class Event(NamedTuple):
    """A pliant.LogEvent, and when it was told."""

    seconds: float
    """Since the recorder was made."""
    level: str
    kind: str
    fields: dict[str, str]


class Sample(NamedTuple):
    """What the statistics of a session said at one moment."""

    seconds: float
    """Since the recorder was made."""
    runs: dict[str, int]
    """Executions of segments so far, by tier."""
    plans: int
    plan_bytes: int
    """Of all plans, floors included."""
    live_bytes: int
    """Of tensors in use, outputs that someone still holds included."""
    reserved_bytes: int
    """Live, and free but kept."""
    peak_bytes: int
    """The most that were live at one moment so far."""


class Recorder:
    """Writes down what a session does.

        recorder = Recorder()
        session = pliant.InferenceSession(path, pliant.SessionOptions(log=recorder.log))
        with recorder.watch(session):
            ...  # serve

    One recorder is for one session. Any thread may call it.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._start = clock()
        self.events: list[Event] = []
        self.samples: list[Sample] = []

    def log(self, event: _core.LogEvent) -> None:
        """For SessionOptions.log."""
        self.events.append(Event(self._clock() - self._start, event.level, event.kind, event.fields))

    def sample(self, session: InferenceSession) -> Sample:
        """Adds what the session's statistics say now to `samples`, and returns it."""
        stats = session.stats()
        total = stats.plans.total
        sample = Sample(
            seconds=self._clock() - self._start,
            runs=dict(zip(TIERS, (total.interpreted_runs, total.any_runs, total.bucketed_runs, total.exact_runs))),
            plans=total.plans + total.floor_plans,
            plan_bytes=total.plan_bytes + total.floor_bytes,
            live_bytes=stats.live_bytes,
            reserved_bytes=stats.reserved_bytes,
            peak_bytes=stats.peak_bytes,
        )
        self.samples.append(sample)
        return sample

    @contextlib.contextmanager
    def watch(self, session: InferenceSession, every: float = 0.01) -> Iterator["Recorder"]:
        """Takes a sample at once, one every so many seconds from a thread of its own, which sees what
        is live in the middle of runs too, and one at the end."""
        ended = threading.Event()

        def take_samples() -> None:
            while not ended.wait(every):
                self.sample(session)

        self.sample(session)
        thread = threading.Thread(target=take_samples, name="pliant recorder", daemon=True)
        thread.start()
        try:
            yield self
        finally:
            ended.set()
            thread.join()
            self.sample(session)
