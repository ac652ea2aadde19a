"""The examples of docs/python.md run as they stand there, one after the other."""

import re

import pytest

from conftest import ROOT
from test_session import onnx_model

pytest.importorskip("onnx")


def test_the_examples_of_the_page_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.onnx").write_bytes(onnx_model().SerializeToString())
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/python.md").read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) > 5
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)  # noqa: S102
    printed = capsys.readouterr().out
    assert "x ['batch', 8] tensor(float)" in printed
    assert "shape mismatch" in printed and "(3, 4)" in printed
