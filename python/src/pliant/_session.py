"""InferenceSession: the C++ session with the habits of the class that people know."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core, _display
from ._errors import error_of

if TYPE_CHECKING:
    from ._core import _Tier

_CPU_PROVIDER = "CPUExecutionProvider"


class Explanation(str):
    """What executed a run, step by step: text, shown with its columns in a notebook."""

    def _repr_html_(self) -> str:
        return _display.preformatted(self)

    def __repr__(self) -> str:
        return str(self)


class Observation(NamedTuple):
    """What observe() returns."""

    outputs: list[Any]
    """NumPy arrays, as run() gives them."""
    segments: list[_core.SegmentRun]
    """How each segment of the program was executed: tier, box, or why the interpreter."""
    trace: str
    """When each kernel began and ended: JSON that ui.perfetto.dev and chrome://tracing open."""


def _load(model: Any) -> _core.Model:
    if isinstance(model, _core.Model):
        return model
    if isinstance(model, (str, os.PathLike)):
        return _core.Model.load(model)
    return _core.Model.from_onnx(model)


def _listed(extents: Iterable[Any]) -> str:
    return ", ".join(map(str, extents))


def _check_providers(providers: Sequence[Any] | None) -> None:
    names = [each if isinstance(each, str) else each[0] for each in providers or [_CPU_PROVIDER]]
    if _CPU_PROVIDER not in names:
        wanted = ", ".join(names)
        raise error_of(_core.InvalidArgumentError, f"pliant runs on the processor ({_CPU_PROVIDER}), not on: {wanted}")


def get_available_providers() -> list[str]:
    """Where models can run: on the processor."""
    return [_CPU_PROVIDER]


class InferenceSession(_core.Session):
    """A model loaded for running.

    model       path of a .onnx, .pasm or .pbc file; an ONNX model in bytes; or a pliant.Model.
    options     pliant.SessionOptions.

    For those who come from elsewhere:
    providers     None, or a list with "CPUExecutionProvider" in it.
    sess_options  another name of options.

    Any number of threads may run at once; the GIL is free while a model is loaded and runs. Errors
    are pliant.Error; the session stays usable after any.
    """

    def __init__(
        self,
        model: Any,
        options: _core.SessionOptions | None = None,
        providers: Sequence[Any] | None = None,
        *,
        sess_options: _core.SessionOptions | None = None,
    ) -> None:
        if sess_options is not None:
            if options is not None:
                raise TypeError("options and sess_options are the same: give one of them")
            options = sess_options
        _check_providers(providers)
        super().__init__(_load(model), options if options is not None else _core.SessionOptions())

    def get_inputs(self) -> list[_core.ValueInfo]:
        """Name, shape and type of each input that has to be fed; dynamic axes are names."""
        return [info for info in self.model.inputs if not info.has_default]

    def get_overridable_initializers(self) -> list[_core.ValueInfo]:
        """The other inputs: they have values of their own, and may be fed."""
        return [info for info in self.model.inputs if info.has_default]

    def get_outputs(self) -> list[_core.ValueInfo]:
        """Name, shape and type of each output, as far as they follow from the model."""
        return self.model.outputs

    def get_providers(self) -> list[str]:
        return get_available_providers()

    def sizes_of(self, feeds: Mapping[str, Any]) -> dict[str, int]:
        """The dynamic axes by name, and how long they are in these feeds: what estimate() and
        warm_up_exact() take. The feeds are not checked otherwise."""
        declared = {info.name: info.shape for info in self.model.inputs}
        sizes: dict[str, int] = {}
        for name, value in feeds.items():
            if name not in declared:
                message = f"unknown input '{name}'; the model's inputs are {', '.join(declared)}"
                raise error_of(_core.InvalidArgumentError, message)
            axes, extents = declared[name], np.shape(value)
            if axes is None:
                continue
            if len(axes) != len(extents):
                message = f"input '{name}' is declared [{_listed(axes)}], given is [{_listed(extents)}]"
                raise error_of(_core.ShapeMismatchError, message)
            sizes.update((axis, extent) for axis, extent in zip(axes, extents) if isinstance(axis, str))
        return sizes

    def observe(
        self,
        output_names: Sequence[str] | None,
        feeds: Mapping[str, Any],
        *,
        tier: "_Tier | None" = None,
        timeout: float | None = None,
    ) -> Observation:
        """run(), with what executed it and a trace of times. Costs some time itself."""
        return Observation(*super().observe(output_names, feeds, tier=tier, timeout=timeout))

    def explain(
        self, feeds: Mapping[str, Any], *, tier: "_Tier | None" = None, timeout: float | None = None
    ) -> Explanation:
        """Runs the model and says what executed it: each step of the plan, what was fused into it,
        which kernel and why; or why there is no plan."""
        return Explanation(self.explain_text(feeds, tier=tier, timeout=timeout))

    def warm_up(self, profile: str | os.PathLike[str] | Mapping[str, Any]) -> None:
        """Compiles the heaviest boxes of a traffic profile: its path, its text (as profile()
        returned it), or the parsed JSON."""
        if isinstance(profile, Mapping):
            profile = json.dumps(profile)
        elif isinstance(profile, os.PathLike) or not profile.lstrip().startswith("{"):
            with open(profile, encoding="utf-8") as file:
                profile = file.read()
        self.warm_up_text(profile)

    def __repr__(self) -> str:
        return _display.session_text(self)

    def _repr_html_(self) -> str:
        return _display.session_html(self)
