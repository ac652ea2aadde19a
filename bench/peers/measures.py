"""How a row is measured. Each function returns lines of the table."""

import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from group import COMPARED_WITH, Group
from spread import Spread, spread_of

LEAST_ROUNDS = 4
MOST_ROUNDS = 400


@dataclass
class Line:
    """`values`: runtime -> Spread. With the unit "x" they are times over Pliant's in the same round, and
    `seconds` is Pliant's time of one request; otherwise values of their own. `reasons`: runtime -> why there
    is no value. `share`: of the speed of the probe that Pliant reaches; 0 if that says nothing."""

    name: str
    about: str
    unit: str
    values: dict[str, Spread]
    reasons: dict[str, tuple[str, str]] = field(default_factory=dict)
    seconds: float = 0.0
    share: float = 0.0
    probe: float = 0.0
    note: str = ""


class Rounds:
    """In a round everybody serves the same requests, one after the other, another one first each time;
    then the probe runs."""

    def __init__(self, row, group, probe):
        self.row, self.group, self.probe = row, group, probe
        self.seconds = []  # of each round: runtime -> seconds
        self.rates = []
        self.operations = []

    def play(self, first):
        """One round, with the requests from the number `first` on."""
        count = self.row.burst
        times = self.group.each("requests", self.row.name, first, count)
        self.seconds.append({runtime: sum(seconds) for runtime, seconds in times.items()})
        self.rates.append(self.probe.order("rate"))
        requests = (self.row.request(number) for number in range(first, first + count))
        self.operations.append(sum(self.row.operations(request) for request in requests))

    def line(self, name, about):
        complete = [times for times in self.seconds if COMPARED_WITH in times]
        if not complete:
            return Line(name, about, "x", {}, dict(self.group.reasons))
        values = {}
        for runtime in self.group.players:
            values[runtime] = spread_of(
                [times[runtime] / times[COMPARED_WITH] for times in complete if runtime in times]
            )
        mine = [times[COMPARED_WITH] for times in complete]
        shares = [work / seconds / rate for work, seconds, rate in zip(self.operations, mine, self.rates)]
        return Line(
            name,
            about,
            "x",
            values,
            dict(self.group.reasons),
            seconds=spread_of(mine).median / self.row.burst,
            share=spread_of(shares).median,
            probe=spread_of(self.rates).median,
            note=self.row.note(),
        )


def least_rounds(row):
    return 2 if row.workload.quick else LEAST_ROUNDS


def play_for(rounds, seconds):
    """As many rounds as the time allows, each with new requests; returns how many."""
    end = time.monotonic() + seconds
    count = 0
    while count < least_rounds(rounds.row) or (time.monotonic() < end and count < MOST_ROUNDS):
        rounds.play(count * rounds.row.burst)
        count += 1
    return count


def turns(row, group, probe, seconds):
    rounds = Rounds(row, group, probe)
    play_for(rounds, seconds)
    return [rounds.line(row.name, row.about)]


def two_passes(row, group, probe, seconds):
    """All sizes for the first time, then all of them again."""
    new, seen = Rounds(row, group, probe), Rounds(row, group, probe)
    count = play_for(new, seconds / 2)
    for number in range(count):
        seen.play(number * row.burst)
    first_over_second = {
        runtime: spread_of([one[runtime] / two[runtime] for one, two in zip(new.seconds, seen.seconds)])
        for runtime in group.players
    }
    return [
        new.line(f"{row.name}_new_sizes", row.about),
        seen.line(f"{row.name}_seen_sizes", "the same sizes in a second pass"),
        Line(
            f"{row.name}_first_over_second",
            "time of a request when its size is new over the second time",
            "",
            first_over_second,
            dict(group.reasons),
        ),
    ]


def cold_start(row, group, probe, seconds):
    """Fresh processes again and again, with nothing that compilers kept. `group` only says who takes part."""
    end = time.monotonic() + seconds
    first_answers, worsts = {}, {}
    repetitions = 0
    while repetitions < 1 or (time.monotonic() < end and repetitions < 10):
        with tempfile.TemporaryDirectory() as empty:
            fresh = Group(group.workload, Path(empty) / "model", group.threads, list(group.players))
            try:
                times = fresh.each("requests", row.name, 0, row.first + row.later)
            finally:
                fresh.close()
        group.reasons.update(fresh.reasons)
        for runtime, seconds_of in times.items():
            first_answers.setdefault(runtime, []).append(1e3 * (fresh.load_seconds[runtime] + seconds_of[0]))
            worsts.setdefault(runtime, []).append(max(seconds_of[: row.first]) / max(seconds_of[row.first :]))
        repetitions += 1
    return [
        Line(
            f"{row.name}_first_answer",
            f"{row.about}: loading and the first request",
            "ms",
            spreads(first_answers),
            dict(group.reasons),
        ),
        Line(
            f"{row.name}_worst",
            f"the same: slowest of its first {row.first} requests over the slowest of {row.later} later ones",
            "",
            spreads(worsts),
            dict(group.reasons),
        ),
    ]


def memory(row, group, probe, seconds):
    bytes_of = group.together("growth", row.name)
    growth = {runtime: [(after - before) / 2**20] for runtime, (before, after) in bytes_of.items()}
    about = f"{row.about}: resident memory gained after the first {row.before}"
    return [Line(row.name, about, "MiB", spreads(growth), dict(group.reasons))]


def spreads(numbers):
    return {runtime: spread_of(values) for runtime, values in numbers.items()}


MEASURES = {measure.__name__: measure for measure in (turns, two_passes, cold_start, memory)}
