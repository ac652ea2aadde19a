"""Models with recorded cases, where they are there: the results are those that were recorded."""

import json

import numpy as np
import pytest

import pliant
from conftest import RECORDED, ROOT

ml_dtypes = pytest.importorskip("ml_dtypes")

MODELS = [
    line.split()[0]  # what follows is for the C++ tests
    for line in (ROOT / "tests/onnx/models.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


def read(path, declared):
    value = np.load(path)
    # Recorded files keep bfloat16 as u16.
    return value.view(ml_dtypes.bfloat16) if declared == "tensor(bfloat16)" else value


@pytest.mark.skipif(not RECORDED.is_dir(), reason=f"no recorded models in {RECORDED}")
@pytest.mark.parametrize("name", MODELS)
def test_results_are_the_recorded_ones(name):
    path = RECORDED / f"{name}.onnx"
    session = pliant.InferenceSession(path)
    manifest = json.loads((RECORDED / name / "manifest.json").read_text())
    cases = sorted((RECORDED / name).glob("dev_*"))
    assert cases, manifest
    for case in cases:
        feeds = {info.name: read(case / f"input_{i}.npy", info.type) for i, info in enumerate(session.get_inputs())}
        outputs = session.run(None, feeds)
        for i, (info, output) in enumerate(zip(session.get_outputs(), outputs, strict=True)):
            expected = np.load(case / f"output_{i}.npy")
            assert output.shape == expected.shape
            if info.shape is not None:
                assert len(info.shape) == output.ndim
                for said, extent in zip(info.shape, output.shape):
                    assert not isinstance(said, int) or said == extent, (info, output.shape)
            if output.dtype == ml_dtypes.bfloat16:
                output, expected = output.astype(np.float32), expected.view(ml_dtypes.bfloat16).astype(np.float32)
            assert output.dtype == expected.dtype
            # As tests/onnx/model_cases.cc has it: basic_pitch sums long windows.
            atol = 1e-3 if name == "basic_pitch" else 1e-4
            np.testing.assert_allclose(output, expected, rtol=1e-3, atol=atol)
