"""`pliant` and `python -m pliant` are the program of the C++ library."""

import pathlib
import subprocess
import sys

import pytest

import pliant
from conftest import ROOT, SCALING

COMMANDS = {
    "module": [sys.executable, "-m", "pliant"],
    "script": [str(pathlib.Path(sys.executable).with_name("pliant"))],
}


def call(how, *arguments):
    return subprocess.run([*COMMANDS[how], *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("how", COMMANDS)
def test_runs_models(how, tmp_path):
    model = tmp_path / "m.pasm"
    model.write_text(SCALING)
    assert pliant.__version__ in call(how, "version").stdout
    done = call(how, "run", str(model), "--random", "n=3")
    assert done.returncode == 0, done.stderr
    assert "f32[3, 2]" in done.stdout
    assert call(how, "run", str(tmp_path / "none.pasm")).returncode != 0


def test_the_readmes_first_result():
    example = ROOT / "python/first_result.py"
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1:] == ["[3. 3.]", "[3. 3. 3. 3. 3.]"]
