"""How models, sessions and plans look in a shell and in a notebook."""

import html
from collections.abc import Iterable, Sequence
from typing import Any

from . import _core


def _signature(value: Any) -> str:
    """'float[batch, 64]'"""
    element = value.type[len("tensor(") : -1] if value.type else "?"
    if value.shape is None:
        return f"{element}[...]"
    return f"{element}[{', '.join('?' if extent is None else str(extent) for extent in value.shape)}]"


def _named(values: Iterable[Any]) -> str:
    return ", ".join(f"{value.name}: {_signature(value)}" for value in values)


def _size(count: int) -> str:
    if count < 1024:
        return f"{count} bytes"
    for exponent, unit in ((1, "KiB"), (2, "MiB")):
        if count < 1024 ** (exponent + 1):
            return f"{count / 1024**exponent:.1f} {unit}"
    return f"{count / 1024**3:.1f} GiB"


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    cells = "".join(f"<th>{html.escape(each)}</th>" for each in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(each))}</td>" for each in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def preformatted(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def model_text(model: Any) -> str:
    return (
        f"<pliant.Model ({_named(model.inputs)}) -> ({_named(model.outputs)}); "
        f"{model.instruction_count} instructions, {_size(model.constant_bytes)} of weights>"
    )


def _values_html(model: Any) -> str:
    rows = [("input", value.name, _signature(value)) for value in model.inputs]
    rows += [("output", value.name, _signature(value)) for value in model.outputs]
    return _table(["", "name", "type"], rows)


def model_html(model: Any) -> str:
    words = f"{model.instruction_count} instructions, {_size(model.constant_bytes)} of weights"
    return f"<b>pliant.Model</b> {words}{_values_html(model)}"


def session_text(session: Any) -> str:
    stats = session.stats()
    return (
        f"<pliant.InferenceSession ({_named(session.model.inputs)}) -> ({_named(session.get_outputs())}); "
        f"{stats.runs} runs, {stats.plans.total.plans + stats.plans.total.floor_plans} plans>"
    )


def _plan_rows(statistics: Any) -> Iterable[Sequence[Any]]:
    for segment in statistics.segments:
        for plan in segment.plans:
            yield segment.name, plan.tier, plan.box or "any size", _size(plan.bytes)


def session_html(session: Any) -> str:
    stats = session.stats()
    words = f"{stats.runs} runs, {stats.failed_runs} failed; {_size(stats.peak_bytes)} of tensors at most"
    plans = _table(["segment", "tier", "box", "bytes"], _plan_rows(stats.plans))
    return f"<b>pliant.InferenceSession</b> {words}{_values_html(session.model)}{plans}"


def statistics_html(statistics: Any) -> str:
    return _table(["segment", "tier", "box", "bytes"], _plan_rows(statistics))


# The classes of the extension get what a notebook asks for.
_core.Model.__repr__ = model_text  # type: ignore[method-assign]
_core.Model._repr_html_ = model_html  # type: ignore[attr-defined]
_core.PlanStatistics._repr_html_ = statistics_html  # type: ignore[attr-defined]
