"""Options are those of the C++ headers, with their defaults, and are checked."""

import datetime
import re

import numpy as np
import pytest

import pliant
from conftest import ROOT, SCALING, session_of


def fields(header, struct):
    text = (ROOT / "include/pliant" / header).read_text()
    body = text[text.index(f"struct {struct} {{") :]
    return re.findall(r"^  [\w:<>()& ]+? (\w+)(?: = [^;]+)?;(?: *///<.*)?$", body[: body.index("\n};")], re.MULTILINE)


RECORDS = [
    ("plan_options.h", pliant.PlanOptions),
    ("session.h", pliant.SessionOptions),
    ("session.h", pliant.SessionStatistics),
    ("session.h", pliant.SegmentRun),
    ("session.h", pliant.MemoryEstimate),
    ("plan_statistics.h", pliant.PlanInfo),
    ("plan_statistics.h", pliant.SegmentStatistics),
    ("plan_statistics.h", pliant.PlanStatistics),
]


@pytest.mark.parametrize(("header", "record"), RECORDS, ids=lambda each: getattr(each, "__name__", None))
def test_every_field_of_the_header_is_there(header, record):
    assert sorted(fields(header, record.__name__)) == sorted(record._fields)


def test_defaults_are_those_of_the_library():
    options = pliant.SessionOptions()
    assert (options.threads, options.max_bytes, options.cpu_level, options.log) == (0, 0, "", None)
    plans = options.plans
    assert (plans.tier, plans.floor, plans.compiling) == ("auto", "plan", "background")
    assert (plans.rounding_fusions, plans.min_compile_iters, plans.max_plan_bytes) == (True, 50, 64 << 20)
    assert plans.breaker_window == datetime.timedelta(minutes=2)


def test_options_are_keywords_and_attributes():
    options = pliant.SessionOptions(threads=1, plans=pliant.PlanOptions(bucket_width=8, breaker_window=0.5))
    options.plans.record = True
    options.plans.breaker_calm_period = datetime.timedelta(seconds=3)
    assert "threads=1" in repr(options) and "bucket_width=8" in repr(options)
    assert options.plans.breaker_window == datetime.timedelta(milliseconds=500)
    assert options.plans.record
    with pytest.raises(TypeError, match="tread.*threads"):
        pliant.SessionOptions(tread=1)
    with pytest.raises(AttributeError):
        options.tread = 1
    with pytest.raises(TypeError):
        options.threads = "many"
    with pytest.raises(TypeError, match="log"):
        options.log = 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (lambda: pliant.SessionOptions(threads=-1), "threads"),
        (lambda: pliant.SessionOptions(threads=257), "257"),
        (lambda: pliant.SessionOptions(cpu_level="sse9"), "sse9"),
        (lambda: pliant.SessionOptions(plans=pliant.PlanOptions(bucket_width=0)), "bucket_width"),
        (lambda: pliant.SessionOptions(plans=pliant.PlanOptions(tier="best")), "best"),
        (lambda: pliant.SessionOptions(plans=pliant.PlanOptions(floor="sky")), "plan, interpreter: sky"),
        (lambda: pliant.SessionOptions(plans=pliant.PlanOptions(compiling="never")), "never"),
    ],
)
def test_ranges_are_checked(options, words):
    with pytest.raises(pliant.InvalidArgumentError, match=words):
        session_of(SCALING, options())


def test_rounding_fusions_off_gives_the_interpreters_bits(pairs):
    session = session_of(SCALING, pliant.SessionOptions(plans=pliant.PlanOptions(rounding_fusions=False)))
    np.testing.assert_array_equal(
        session.run(None, {"x": pairs}, tier="exact")[0], session.run(None, {"x": pairs}, tier="interpreter")[0]
    )


def test_events_reach_a_function(pairs):
    events = []
    options = pliant.SessionOptions(
        log=events.append, plans=pliant.PlanOptions(min_compile_iters=1, compiling="background")
    )
    assert options.log == events.append
    session = session_of(SCALING, options)
    for _ in range(3):
        session.run(None, {"x": pairs})
    session.finish_compiling()
    del session, options  # waits for the thread that may want to tell something
    assert events[0].kind == "load"
    assert events[0].level == "info"
    assert events[0].fields["instructions"] == "3"
    assert "compile" in {event.kind for event in events}
    assert "kind='load'" in repr(events[0])


def test_what_a_function_for_events_raises_goes_no_further(pairs, monkeypatch):
    told = []
    monkeypatch.setattr("sys.unraisablehook", lambda raised: told.append((raised.exc_type, raised.object)))

    def log(event):
        raise RuntimeError("not today")

    session = session_of(SCALING, pliant.SessionOptions(log=log))
    assert told == [(RuntimeError, "the log of a pliant session")]
    assert session.run(None, {"x": pairs})[0].shape == (3, 2)
