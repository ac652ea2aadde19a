"""pliant as an ONNX backend: `pliant.backend.prepare(model).run(inputs)`. Needs the package onnx."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx.backend.base import Backend, BackendRep, namedtupledict

from . import _core
from ._errors import error_of
from ._session import InferenceSession


class PreparedModel(BackendRep):
    """A model ready to run."""

    def __init__(self, session: InferenceSession) -> None:
        self._session = session

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """`inputs`: a dictionary by name, a list in the model's order, or the single one. The
        outputs come in order, and by name as far as the names can be attributes."""
        declared = self._session.model.inputs
        if isinstance(inputs, Mapping):
            feeds = dict(inputs)
        else:
            values = inputs if isinstance(inputs, (list, tuple)) else [inputs]
            if len(values) > len(declared):
                raise error_of(_core.InvalidArgumentError, f"the model has {len(declared)} inputs, given are {len(values)}")
            feeds = {info.name: value for info, value in zip(declared, values)}
        outputs = self._session.run(None, feeds)
        return namedtupledict("Outputs", [info.name for info in self._session.get_outputs()])(*outputs)


class PliantBackend(Backend):
    """The interface of onnx.backend.base.Backend."""

    @classmethod
    def is_compatible(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        if not cls.supports_device(device):
            return False
        try:
            _core.Model.from_onnx(model.SerializeToString())
        except _core.Error:
            return False
        return True

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> PreparedModel:
        if not cls.supports_device(device):
            raise error_of(_core.InvalidArgumentError, f"pliant runs on the device CPU, not on: {device}")
        options = kwargs.pop("options", None)
        super().prepare(model, device, **kwargs)
        return PreparedModel(InferenceSession(model.SerializeToString(), options))

    @classmethod
    def run_model(cls, model: onnx.ModelProto, inputs: Any, device: str = "CPU", **kwargs: Any) -> tuple[Any, ...]:
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(
        cls,
        node: onnx.NodeProto,
        inputs: Sequence[Any] | Mapping[str, Any],
        device: str = "CPU",
        outputs_info: Any = None,
        **kwargs: Any,
    ) -> tuple[Any, ...]:
        """Runs one node on inputs, which must have element types of their own."""
        names = [name for name in node.input if name]
        values = [inputs[name] for name in names] if isinstance(inputs, Mapping) else list(inputs)
        arrays = [np.asarray(value) for value in values]
        declared = [
            onnx.helper.make_tensor_value_info(
                name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), list(array.shape)
            )
            for name, array in zip(names, arrays)
        ]
        results = [onnx.helper.make_empty_tensor_value_info(name) for name in node.output if name]
        graph = onnx.helper.make_graph([node], "node", declared, results)
        opset = kwargs.pop("opset_version", 23)
        model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)])
        if not cls.supports_device(device):
            raise error_of(_core.InvalidArgumentError, f"pliant runs on the device CPU, not on: {device}")
        # Not by prepare(), which has onnx check the model: it wants types of outputs, which a node has not.
        return PreparedModel(InferenceSession(model.SerializeToString())).run(arrays)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        return device.split(":")[0] == "CPU"


is_compatible = PliantBackend.is_compatible
prepare = PliantBackend.prepare
run_model = PliantBackend.run_model
run_node = PliantBackend.run_node
supports_device = PliantBackend.supports_device
