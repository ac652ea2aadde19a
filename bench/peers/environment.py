"""Makes the environment that the comparison runs in: a venv outside the tree, with Pliant from this clone
and all peers that pip can get."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("numpy", "onnx", "matplotlib")
PEERS = ("onnxruntime", "openvino", "ctranslate2", "torch")


def default_folder():
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "pliant-peers"


def python_of(folder):
    return folder / "bin/python"


def missing_file(folder):
    """JSON: package -> why pip could not install it."""
    return folder / "missing.json"


def pip_install(folder, *what):
    """Empty if it worked, else why not."""
    command = [python_of(folder), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what]
    print("  $", *command, file=sys.stderr, flush=True)
    done = subprocess.run([str(part) for part in command], stderr=subprocess.PIPE, text=True)
    if done.returncode == 0:
        return ""
    lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    return next((line for line in lines if line.startswith("ERROR: ")), lines[-1])


def require(folder, *what):
    words = pip_install(folder, *what)
    if words:
        raise SystemExit(f"compare: pip could not install {' '.join(map(str, what))}: {words}")


def install(folder, prefix):
    """`prefix`: an installed library for the Python package; None compiles it, which takes minutes."""
    if not python_of(folder).exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    require(folder, *NEEDED)
    missing = {}
    for peer in PEERS:
        words = pip_install(folder, peer)
        if words:
            missing[peer] = words
            print(f"compare: without {peer}: {words}", file=sys.stderr)
    missing_file(folder).write_text(json.dumps(missing))
    settings = [f"--config-settings=cmake.define.PLIANT_PREFIX={prefix}"] if prefix else []
    require(folder, "--force-reinstall", "--no-deps", ROOT / "python", *settings)
