"""Errors that the Python side finds, in the form of those of the library."""

from typing import TypeVar

from . import _core

_Kind = TypeVar("_Kind", bound=_core.Error)


def error_of(kind: type[_Kind], message: str) -> _Kind:
    """To be raised by who found it; there is no place in a model to name."""
    error = kind(f"{kind.code}: {message}")
    error.message = message
    return error
