"""Runs ONNX models of any size: nothing is padded, and nobody declares bounds.

    import numpy as np, pliant
    session = pliant.InferenceSession("model.onnx")
    [y] = session.run(None, {"x": np.zeros((2, 37), np.float32)})
"""

from ._core import (
    CancelledError,
    CorruptError,
    ElementTypeError,
    Error,
    InternalError,
    InvalidArgumentError,
    IoError,
    LogEvent,
    MemoryEstimate,
    Model,
    PlanCounters,
    PlanInfo,
    PlanOptions,
    PlanStatistics,
    ResourceExhaustedError,
    SegmentRun,
    SegmentStatistics,
    SessionOptions,
    SessionStatistics,
    ShapeMismatchError,
    SyntaxError,
    Tensor,
    UnsupportedError,
    ValueInfo,
    VerificationError,
    __version__,
)
from ._session import Explanation, InferenceSession, Observation, get_available_providers

# All but SyntaxError, which would hide Python's from those who import everything.
__all__ = [
    "CancelledError",
    "CorruptError",
    "ElementTypeError",
    "Error",
    "Explanation",
    "InferenceSession",
    "InternalError",
    "InvalidArgumentError",
    "IoError",
    "LogEvent",
    "MemoryEstimate",
    "Model",
    "Observation",
    "PlanCounters",
    "PlanInfo",
    "PlanOptions",
    "PlanStatistics",
    "ResourceExhaustedError",
    "SegmentRun",
    "SegmentStatistics",
    "SessionOptions",
    "SessionStatistics",
    "ShapeMismatchError",
    "Tensor",
    "UnsupportedError",
    "ValueInfo",
    "VerificationError",
    "__version__",
    "get_available_providers",
]
