"""Draws what pliant.measure found, with matplotlib: `pip install 'pliant[plot]'`.

Each function draws into the Axes it is given, or into a figure of its own, and returns the Axes, for
titles, other scales and `ax.figure.savefig(...)`.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

try:
    import matplotlib.pyplot as plt
except ImportError as error:
    raise ImportError("pliant.plot draws with matplotlib, which is not there: pip install 'pliant[plot]'") from error

from .measure import TIERS, Event, Latency, Sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colours of Okabe and Ito, which colour-blind readers tell apart; markers and dashes say the same again.
_ORANGE, _SKY, _GREEN, _BLUE, _RED, _PURPLE, _GREY = (
    "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00", "#CC79A7", "#666666",
)  # fmt: skip
_TIER_COLOURS = dict(zip(TIERS, (_RED, _SKY, _BLUE, _GREEN)))
_TIER_HATCHES = dict(zip(TIERS, ("//", "", "..", "")))
_LINE_COLOURS = (_BLUE, _RED, _GREEN, _ORANGE, _PURPLE, _SKY, _GREY)
_LINE_MARKERS = "os^DvPX"
_INTERVALS = 50

_GOOD: dict[str, Any] = {"marker": "o", "color": _GREEN}
_IDLE: dict[str, Any] = {"marker": "o", "markeredgecolor": _GREY, "markerfacecolor": "white"}
_BAD: dict[str, Any] = {"marker": "X", "color": _RED}
_PLAIN: dict[str, Any] = {"marker": "|", "markersize": 10, "color": _BLUE}
_EVICTED: dict[str, Any] = {"marker": "v", "color": _BLUE}
# What came out of a compile, in the words of its event: how it is marked, and named in the legend.
_OUTCOMES: dict[str, tuple[dict[str, Any], str]] = {
    "published": (_GOOD, "published"),
    "no gain over the plan for any size": (_IDLE, "no gain"),
    "declined": (_IDLE, "declined"),
}
_MARKS = {"evict": _EVICTED, "run": _BAD, "quarantine": _BAD}
_ROWS = {"run": "failed run"}  # of other runs there is no event


def latency(results: Sequence[Latency], ax: "Axes | None" = None, *, size_name: str = "size") -> "Axes":
    """Time against size, a line for each of measure.latency()'s results: the median, in a band from the
    10th to the 90th percentile. `size_name` is written below the axis."""
    ax = ax if ax is not None else plt.subplots(layout="constrained")[1]
    highest = max((max(taken) for result in results for taken in result.seconds), default=0.0)
    factor, unit = _time_unit(highest)
    for result, colour, marker in zip(results, _line_colours(results), itertools.cycle(_LINE_MARKERS)):
        order = np.argsort(result.sizes, kind="stable")
        sizes = np.asarray(result.sizes)[order]
        spread = np.array([np.percentile(taken, (10, 50, 90)) for taken in result.seconds])[order] * factor
        ax.plot(sizes, spread[:, 1], color=colour, marker=marker, markersize=5, label=result.name)
        ax.fill_between(sizes, spread[:, 0], spread[:, 2], color=colour, alpha=0.2, linewidth=0)
    ax.set(xlabel=size_name, ylabel=f"time of a call ({unit}); median, 10 % to 90 %")
    ax.set_ylim(bottom=0)
    return _finish(ax)


def timeline(
    samples: Sequence[Sample], events: Sequence[Event], axes: "Sequence[Axes] | None" = None
) -> "tuple[Axes, Axes]":
    """What executed the runs, above what became of plans, over the same time.

    Above, from the samples of a measure.Recorder: executions of segments by tier, counted over equal
    intervals. Below, from its events: a row for each kind. A compile is a bar as long as it took, with
    a mark for what came out; the row of the breaker is filled while it is not closed.
    """
    if axes is None:
        axes = plt.subplots(
            2, sharex=True, layout="constrained", figsize=(8, 5), gridspec_kw={"height_ratios": [3, 2]}
        )[1]
    runs, rows = axes
    _draw_runs(runs, samples)
    seconds = [sample.seconds for sample in samples] + [event.seconds for event in events]
    _draw_events(rows, events, max(seconds, default=0.0))
    rows.set_xlabel("time (s)")
    return runs, rows


def memory(samples: Sequence[Sample], ax: "Axes | None" = None) -> "Axes":
    """The memory of a session over time, from the samples of a measure.Recorder: tensors that are live,
    their peak so far, what is reserved for them, and plans. Weights are not in it."""
    ax = ax if ax is not None else plt.subplots(layout="constrained")[1]
    seconds = [sample.seconds for sample in samples]
    factor, unit = _byte_unit(max((max(each.reserved_bytes, each.peak_bytes) for each in samples), default=0))

    def draw(name: str, field: str, **style: Any) -> None:
        ax.step(seconds, [getattr(sample, field) * factor for sample in samples], where="post", label=name, **style)

    draw("reserved", "reserved_bytes", color=_GREY, linestyle="--")
    draw("peak", "peak_bytes", color=_RED, linestyle=":", linewidth=2)
    draw("live", "live_bytes", color=_BLUE)
    draw("plans", "plan_bytes", color=_ORANGE, linestyle="-.")
    live = [sample.live_bytes * factor for sample in samples]
    ax.fill_between(seconds, live, step="post", color=_BLUE, alpha=0.2, linewidth=0)
    ax.set(xlabel="time (s)", ylabel=f"memory ({unit})")
    ax.set_ylim(bottom=0)
    return _finish(ax)


def _line_colours(results: Sequence[Latency]) -> Iterator[str]:
    """Tiers have their colours everywhere, others get what is left."""
    tiers = {_TIER_COLOURS[result.name] for result in results if result.name in TIERS}
    left = itertools.cycle([colour for colour in _LINE_COLOURS if colour not in tiers])
    return (_TIER_COLOURS.get(result.name) or next(left) for result in results)


def _draw_runs(ax: "Axes", samples: Sequence[Sample]) -> None:
    if len(samples) > 1:
        first, last = samples[0].seconds, samples[-1].seconds
        width = _round_interval((last - first) / _INTERVALS)
        counts = _counted(samples, first, width)
        left = first + width * np.arange(counts.shape[1])
        below = np.zeros(counts.shape[1])
        for tier, bars in zip(TIERS, counts):
            if bars.any():
                ax.bar(
                    left, bars, width, bottom=below, align="edge", linewidth=0, label=tier,
                    facecolor=_TIER_COLOURS[tier], hatch=_TIER_HATCHES[tier], edgecolor="white",
                )  # fmt: skip
            below += bars
        ax.set_ylabel(f"runs of segments per {width * 1000:g} ms")
    _finish(ax)


def _counted(samples: Sequence[Sample], first: float, width: float) -> "np.ndarray[Any, Any]":
    """Runs by tier (rows) and interval. What happened between two samples counts where the later is."""
    intervals = max(1, int(np.ceil((samples[-1].seconds - first) / width)))
    counts = np.zeros((len(TIERS), intervals))
    for before, after in zip(samples, samples[1:]):
        interval = min(int((after.seconds - first) / width), intervals - 1)
        counts[:, interval] += [after.runs[tier] - before.runs[tier] for tier in TIERS]
    return counts


def _draw_events(ax: "Axes", events: Sequence[Event], end: float) -> None:
    kinds = list(dict.fromkeys(event.kind for event in events))
    for row, kind in enumerate(kinds):
        those = [event for event in events if event.kind == kind]
        if kind == "compile":
            _draw_compiles(ax, row, those)
        elif kind == "breaker":
            _draw_breaker(ax, row, those, end)
        else:
            ax.plot([event.seconds for event in those], [row] * len(those), linestyle="", **_MARKS.get(kind, _PLAIN))
    words = [f"{_ROWS.get(kind, kind)} ({sum(event.kind == kind for event in events)})" for kind in kinds]
    ax.set_yticks(range(len(kinds)), words)
    ax.set_ylim(max(len(kinds), 1) - 0.5, -0.5)
    _finish(ax, grid="x")


def _draw_compiles(ax: "Axes", row: int, compiles: Iterable[Event]) -> None:
    by_outcome: dict[str, list[Event]] = {}
    for event in compiles:
        by_outcome.setdefault(event.fields.get("outcome", "?"), []).append(event)
    for outcome, those in by_outcome.items():
        spent = [int(event.fields.get("microseconds", 0)) / 1e6 for event in those]
        ends = [event.seconds for event in those]
        ax.barh([row] * len(ends), spent, left=np.subtract(ends, spent), height=0.4, color=_GREY, alpha=0.5)
        style, words = _OUTCOMES.get(outcome, (_BAD, outcome))
        ax.plot(ends, [row] * len(ends), linestyle="", label=f"compile: {words}", **style)


def _draw_breaker(ax: "Axes", row: int, changes: Sequence[Event], end: float) -> None:
    """Segments have breakers of their own, which overlap."""
    opened: dict[str, float] = {}
    spans: list[tuple[float, float]] = []
    for event in changes:
        segment = event.fields.get("segment", "")
        if event.fields.get("to") != "closed":  # open, or half-open, which tries whether it can close
            opened.setdefault(segment, event.seconds)
        elif segment in opened:
            start = opened.pop(segment)
            spans.append((start, event.seconds - start))
    spans += [(start, end - start) for start in opened.values()]
    ax.broken_barh(spans, (row - 0.25, 0.5), color=_ORANGE, label="breaker not closed")


def _finish(ax: "Axes", grid: str = "y") -> "Axes":
    """The legend above, where no data are."""
    ax.grid(axis=grid, color="#DDDDDD", linewidth=0.8)  # type: ignore[arg-type]
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    if ax.get_legend_handles_labels()[1]:
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False, borderaxespad=0.2)
    return ax


def _time_unit(highest: float) -> tuple[float, str]:
    if highest < 1e-3:
        return 1e6, "µs"
    return (1e3, "ms") if highest < 1 else (1.0, "s")


def _byte_unit(highest: int) -> tuple[float, str]:
    for exponent, unit in ((3, "GiB"), (2, "MiB"), (1, "KiB")):
        if highest >= 1024**exponent:
            return 1024.0**-exponent, unit
    return 1.0, "bytes"


def _round_interval(seconds: float) -> float:
    """The next of 1, 2, 5, 10, … of whatever power."""
    power = 10 ** np.floor(np.log10(max(seconds, 1e-6)))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= seconds * (1 - 1e-9)))
