"""bench/peers measures and checks every workload; the peers that are not installed are left out."""

import json
import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from conftest import ROOT

pytest.importorskip("onnx")
PEERS = ROOT / "bench/peers"


@pytest.fixture
def peers(monkeypatch):
    monkeypatch.syspath_prepend(str(PEERS))


def measured(folder, *options):
    """(result, document) of a quick run"""
    command = [sys.executable, PEERS / "measure.py", "--quick", "--minutes", "0.02", "--output", folder, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "benchmarks.json").read_text()), (folder / "benchmarks.md").read_text()


def test_every_row_is_right_and_told(tmp_path):
    # Without the compiled one, which compiles for minutes.
    runtimes = ("pliant", "onnxruntime", "openvino", "torch_eager", "ctranslate2")
    result, document = measured(tmp_path, "--runtimes", *runtimes)
    assert result["runtimes"][0] == "pliant"
    [table] = result["tables"]
    assert len(table["lines"]) == 20
    for line in table["lines"]:
        assert all(kind == "declined" for kind, _ in line["reasons"].values()), line
        assert line["values"].keys() | line["reasons"].keys() == set(result["runtimes"])
        assert line["unit"] != "x" or all(values[0] > 0 for values in line["values"].values()), line
        assert f"| {line['name']}" in document and f"`{line['name']}`" in document
    for words in result["missing"].values():
        assert words in document
    assert "says nothing about speed" in document


def test_the_table_may_be_made_twice(tmp_path):
    result, document = measured(tmp_path, "--repeat", "--workloads", "mlp", "--runtimes", "pliant")
    assert len(result["tables"]) == 2
    assert "The table was made twice" in document


def test_answers_that_differ_are_told(peers):
    from agreement import difference

    workload = SimpleNamespace(relative=1e-3, absolute=1e-4)
    right = [[np.ones((2, 3), np.float32)]]
    assert difference(right, right, workload) == ""
    assert difference([[right[0][0] * 1.0005]], right, workload) == ""
    wrong = right[0][0].copy()
    wrong[1, 2] = 1.01
    assert "1 of 6 numbers differ" in difference([[wrong]], right, workload)
    assert "numbers differ" in difference([[wrong * np.nan]], right, workload)
    assert "shape (3, 2)" in difference([[right[0][0].reshape(3, 2)]], right, workload)
    assert "2 outputs instead of 1" in difference([right[0] * 2], right, workload)


def line(name, **ratios):
    return {"name": name, "unit": "x", "values": {"pliant": (1, 1, 1, 9), **ratios}, "reasons": {}}


def test_rows_that_pliant_loses_are_told(peers):
    from findings import loss_words

    table = {
        "lines": [
            line("mlp", onnxruntime=(0.8, 0.75, 0.9, 9)),
            line("ocr", openvino=(0.98, 0.9, 1.1, 9), onnxruntime=(2, 1, 3, 9)),
        ]
    }
    words = loss_words(table)
    assert words.startswith("In 2 of 3 comparisons of time, 1 of them by more than the spread:")
    assert "`mlp`: ONNX Runtime takes 0.80 of Pliant's time (0.75–0.90)." in words
    assert "`ocr`: OpenVINO takes 0.98 of Pliant's time (0.90–1.10, within the spread)." in words
    assert "none of 1" in loss_words({"lines": [line("mlp", openvino=(1.2, 1, 2, 9))]})


def test_tables_agree_within_their_spread_or_not(peers):
    from findings import agreement_words

    first = {"lines": [line("mlp", onnxruntime=(1.0, 0.9, 1.1, 9))]}
    near = {"lines": [line("mlp", onnxruntime=(1.05, 0.95, 1.2, 9))]}
    far = {"lines": [line("mlp", onnxruntime=(1.15, 1.0, 1.2, 9))]}
    assert "1 of 1 medians" in agreement_words(first, near) and "5.0 % at most" in agreement_words(first, near)
    assert "0 of 1 medians" in agreement_words(first, far) and "Not so: `mlp`" in agreement_words(first, far)


def test_a_process_that_dies_harms_nobody_else(peers, tmp_path):
    from group import Group
    from workloads import WORKLOADS

    group = Group(WORKLOADS["adds"](True), tmp_path / "adds", 1, ["pliant"])
    try:
        other = group.players["other"] = group.player("pliant")
        other.order("load")
        os.killpg(other.process.pid, signal.SIGKILL)
        results = group.each("requests", "chain_adds_one_size", 0, 2)
        assert list(results) == ["pliant"] and len(results["pliant"]) == 2
        kind, words = group.reasons["other"]
        assert kind == "failed" and "the process ended" in words
    finally:
        group.close()


def test_what_cannot_be_imported_is_left_out(peers, monkeypatch):
    import measure
    import runtimes

    absent = runtimes.RUNTIMES["openvino"]._replace(module="nobody_has_this")
    monkeypatch.setitem(measure.RUNTIMES, "openvino", absent)
    found, missing = measure.importable(["pliant", "openvino"])
    assert found == ["pliant"]
    assert "nobody_has_this" in missing["openvino"]
