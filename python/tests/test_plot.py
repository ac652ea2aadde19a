"""What is drawn are the data."""

import subprocess
import sys

import numpy as np
import pytest

from pliant import measure

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

from pliant import plot  # noqa: E402


@pytest.fixture(autouse=True)
def _figures_are_closed():
    yield
    plt.close("all")


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def line(ax, name):
    [found] = [each for each in ax.get_lines() if each.get_label() == name]
    return found.get_xdata().tolist(), np.round(found.get_ydata(), 9).tolist()


def test_it_says_how_to_get_matplotlib():
    code = "import sys; sys.modules['matplotlib'] = None\nimport pliant, pliant.measure\ntry:\n  import pliant.plot\nexcept ImportError as error:\n  print(error)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'pliant[plot]'" in done.stdout


def test_importing_pliant_leaves_matplotlib_alone():
    code = "import sys, pliant, pliant.measure; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


TIMES = [0.001 * step for step in range(11)]  # 0 to 10 ms: deciles are whole


def test_latency_draws_medians_in_their_spread():
    results = [
        measure.Latency("any", [20, 10], [TIMES, [0.004] * 5]),
        measure.Latency("exact", [10, 20], [[0.002], [0.003]]),
    ]
    ax = plot.latency(results, size_name="length")
    assert line(ax, "any") == ([10, 20], [4, 5])
    assert line(ax, "exact") == ([10, 20], [2, 3])
    edges = ax.collections[0].get_paths()[0].vertices
    assert {tuple(np.round(point, 6)) for point in edges if point[0] == 20} == {(20, 1), (20, 9)}
    assert legend(ax) == ["any", "exact"]
    assert ax.get_xlabel() == "length" and "(ms)" in ax.get_ylabel()
    assert ax.get_ylim()[0] == 0


@pytest.mark.parametrize(("seconds", "unit", "drawn"), [(5e-5, "µs", 50), (0.5, "ms", 500), (5.0, "s", 5)])
def test_latency_has_a_unit_that_fits(seconds, unit, drawn):
    ax = plot.latency([measure.Latency("a", [1], [[seconds]])])
    assert f"({unit})" in ax.get_ylabel() and line(ax, "a") == ([1], [drawn])


def test_lines_differ_in_colour_and_marker():
    ax = plot.latency([measure.Latency(str(i), [1], [[1.0]]) for i in range(7)])
    assert len({each.get_color() for each in ax.get_lines()}) == len({each.get_marker() for each in ax.get_lines()}) == 7


def test_a_tier_has_one_colour_in_all_pictures():
    results = [measure.Latency(name, [1], [[1.0]]) for name in ("mine", "any", "other", "exact")]
    colours = {each.get_label(): each.get_color() for each in plot.latency(results).get_lines()}
    assert len(set(colours.values())) == 4
    runs, _ = plot.timeline([sample(0), sample(1, 1, 1, 1, 1)], [])
    for group in runs.containers:
        if group.get_label() in colours:
            assert matplotlib.colors.same_color(group[0].get_facecolor(), colours[group.get_label()])
    assert matplotlib.colors.to_hex(runs.containers[3][0].get_facecolor()) == colours["exact"].lower()


def sample(seconds, *runs, **fields):
    values = {"plans": 0, "plan_bytes": 0, "live_bytes": 0, "reserved_bytes": 0, "peak_bytes": 0, **fields}
    return measure.Sample(seconds=seconds, runs=dict(zip(measure.TIERS, (*runs, 0, 0, 0, 0))), **values)


def bars(ax):
    """{label: [(left, bottom, height)]} of the bars that are to be seen."""
    return {
        group.get_label(): [(round(b.get_x(), 6), b.get_y(), b.get_height()) for b in group if b.get_height()]
        for group in ax.containers
    }


def test_the_timeline_counts_runs_by_tier():
    samples = [sample(0, 1, 1), sample(0.1, 3, 1), sample(0.55, 3, 11), sample(1.0, 3, 12, 4)]
    runs, _ = plot.timeline(samples, [])
    assert runs.get_ylabel() == "runs of segments per 20 ms"
    assert bars(runs) == {"interpreter": [(0.1, 0, 2)], "any": [(0.54, 0, 10), (0.98, 0, 1)], "bucketed": [(0.98, 1, 4)]}
    assert legend(runs) == ["interpreter", "any", "bucketed"]


def test_the_timeline_loses_no_runs():
    random = np.random.default_rng(1)
    counts = np.cumsum(random.integers(0, 9, (200, 4)), axis=0)
    times = np.cumsum(random.random(200))
    runs, _ = plot.timeline([sample(time, *count.tolist()) for time, count in zip(times, counts)], [])
    drawn = {name: sum(height for _, _, height in those) for name, those in bars(runs).items()}
    assert drawn == dict(zip(measure.TIERS, (counts[-1] - counts[0]).tolist()))


def event(seconds, kind, level="info", **fields):
    return measure.Event(seconds, level, kind, fields)


EVENTS = [
    event(0.0, "load"),
    event(1.0, "compile", outcome="published", microseconds="250000"),
    event(2.0, "compile", outcome="no gain over the plan for any size", microseconds="500000"),
    event(2.5, "compile", outcome="failed", microseconds="0"),
    event(2.6, "evict"),
    event(3.0, "breaker", segment="0", to="open"),
    event(3.5, "breaker", segment="1", to="open"),
    event(4.0, "breaker", segment="0", to="half-open"),
    event(5.0, "breaker", segment="0", to="closed"),
    event(6.0, "run", level="error"),
]


def test_the_timeline_has_a_row_for_each_kind_of_event():
    _, rows = plot.timeline([sample(0), sample(8)], EVENTS)
    names = [text.get_text() for text in rows.get_yticklabels()]
    assert names == ["load (1)", "compile (3)", "evict (1)", "breaker (4)", "failed run (1)"]
    assert legend(rows) == ["compile: published", "compile: no gain", "compile: failed", "breaker not closed"]
    assert line(rows, "compile: published") == ([1.0], [1])
    assert line(rows, "compile: no gain") == ([2.0], [1])
    bars_of_compiles = [(b.get_x(), b.get_width()) for b in rows.patches]
    assert bars_of_compiles == [(0.75, 0.25), (1.5, 0.5), (2.5, 0.0)]
    marks = {each.get_ydata()[0]: each.get_xdata().tolist() for each in rows.get_lines() if each.get_label().startswith("_")}
    assert marks == {0: [0.0], 2: [2.6], 4: [6.0]}
    assert rows.get_xlabel() == "time (s)"


def test_a_breaker_that_stays_open_is_open_to_the_end():
    _, rows = plot.timeline([sample(0), sample(8)], EVENTS)
    [spans] = rows.collections
    extents = [(path.vertices[:, 0].min(), path.vertices[:, 0].max()) for path in spans.get_paths()]
    assert extents == [(3.0, 5.0), (3.5, 8.0)]


def test_memory_is_drawn_over_time():
    mib = 1 << 20
    samples = [
        sample(0.0, live_bytes=0, reserved_bytes=mib, peak_bytes=2 * mib, plan_bytes=mib // 2),
        sample(0.5, live_bytes=3 * mib, reserved_bytes=4 * mib, peak_bytes=3 * mib, plan_bytes=mib),
    ]
    ax = plot.memory(samples)
    assert ax.get_ylabel() == "memory (MiB)" and ax.get_xlabel() == "time (s)"
    assert line(ax, "live") == ([0, 0.5], [0, 3])
    assert line(ax, "reserved") == ([0, 0.5], [1, 4])
    assert line(ax, "peak") == ([0, 0.5], [2, 3])
    assert line(ax, "plans") == ([0, 0.5], [0.5, 1])
    assert len({each.get_linestyle() for each in ax.get_lines()}) == 4


@pytest.mark.parametrize(("most", "unit"), [(100, "bytes"), (2048, "KiB"), (3 << 30, "GiB")])
def test_memory_has_a_unit_that_fits(most, unit):
    assert plot.memory([sample(0, reserved_bytes=most)]).get_ylabel() == f"memory ({unit})"


def test_axes_may_be_given_and_nothing_may_have_happened():
    figure, given = plt.subplots(4)
    assert plot.latency([], given[0]) is given[0]
    assert plot.memory([], given[1]) is given[1]
    assert plot.timeline([], [], given[2:]) == (given[2], given[3])
    assert plot.timeline([sample(1.0)], [])[1].figure is not figure
    plot.timeline([sample(1.0), sample(1.0, 3)], [])
    figure.canvas.draw()


def test_what_a_recorder_wrote_is_drawn(scaling, pairs):
    recorder = measure.Recorder()
    with recorder.watch(scaling, every=60):
        for _ in range(5):
            scaling.run(None, {"x": pairs})
            recorder.sample(scaling)
    runs, _ = plot.timeline(recorder.samples, recorder.events)
    assert sum(height for _, _, height in bars(runs)["any"]) == 5
    ax = plot.latency(measure.latency(measure.tier_calls(scaling), lambda n: {"x": pairs[:n]}, [1, 2, 3], rounds=2))
    assert line(ax, "interpreter")[0] == [1, 2, 3]
    plot.memory(recorder.samples).figure.canvas.draw()
