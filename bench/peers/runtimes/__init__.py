"""The runtimes that are compared, one file each. A file is imported only by the process that runs it."""

import importlib
from typing import NamedTuple


class Entry(NamedTuple):
    file: str
    """Its name without .py."""
    kind: str
    """The class in it."""
    title: str
    """As in the table."""
    module: str
    """What Python imports, and what pip calls the package."""


# In the order of the table. Pliant comes first: it is what the others are compared with.
RUNTIMES = {
    "pliant": Entry("pliant", "Pliant", "Pliant", "pliant"),
    "onnxruntime": Entry("onnxruntime", "OnnxRuntime", "ONNX Runtime", "onnxruntime"),
    "openvino": Entry("openvino", "OpenVino", "OpenVINO", "openvino"),
    "torch_eager": Entry("torch_eager", "TorchEager", "PyTorch eager", "torch"),
    "torch_compiled": Entry("torch_compiled", "TorchCompiled", "PyTorch compiled", "torch"),
    "ctranslate2": Entry("ctranslate2", "CTranslate2", "CTranslate2", "ctranslate2"),
}
# What has no column: for answers, and for the speed of the machine.
YARDSTICKS = {
    "reference": Entry("reference", "Reference", "ONNX reference evaluator", "onnx"),
    "probe": Entry("probe", "Probe", "NumPy", "numpy"),
}


def runtime_class(name):
    entry = {**RUNTIMES, **YARDSTICKS}[name]
    return getattr(importlib.import_module(f"runtimes.{entry.file}"), entry.kind)
