"""What the tests share: small models as assembly, and the recorded models where they are."""

import os
import pathlib

import numpy as np
import pytest

import pliant

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDED = pathlib.Path(os.environ.get("PLIANT_MODELS", ROOT.parent / "shared/models"))

SCALING = """
.input x f32[n, 2]
.const c f32[2] = {2.0, 3.0}
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_MUL r1, r0, c
STORE_TENSOR y, r1
"""


def session_of(assembly, options=None):
    return pliant.InferenceSession(pliant.Model.from_assembly(assembly, "test.pasm"), options)


def identity_of(dtype):
    """A model that hands out what it is given."""
    return session_of(f".input x {dtype}[...]\n.output y\nLOAD_TENSOR r0, x\nSTORE_TENSOR y, r0\n")


class Exporter:
    """A tensor of another library, as DLPack shows it."""

    def __init__(self, source):
        self.source = source

    def __dlpack__(self, **keywords):
        return self.source.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.source.__dlpack_device__()


@pytest.fixture
def scaling():
    return session_of(SCALING)


@pytest.fixture
def pairs():
    return np.array([[1, 1], [2, 2], [3, 3]], np.float32)
