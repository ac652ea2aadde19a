"""What the installed package says of itself and brings along."""

import importlib.metadata

import pliant
from conftest import ROOT

INSTALLED = importlib.metadata.distribution("pliant")


def test_the_license_comes_along():
    assert INSTALLED.metadata["License-Expression"] == "Apache-2.0"
    [license] = [file for file in INSTALLED.files if file.name == "LICENSE"]
    assert license.read_text() == (ROOT / "LICENSE").read_text()


def test_what_is_optional_has_a_name_to_ask_for():
    assert {"bfloat16", "onnx", "plot"} <= set(INSTALLED.metadata.get_all("Provides-Extra"))
    assert INSTALLED.version == pliant.__version__
