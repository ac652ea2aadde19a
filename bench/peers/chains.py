"""What a tiny step costs here and in peers: long chains of steps on tensors of a few floats.

    python bench/peers/chains.py [--rounds N]

Wants the Python package of this repository, `onnx`, and whichever peers are to be compared
(onnxruntime, openvino); those that cannot be imported are left out. All use one thread. Within a
round every runtime runs each chain once, in turn, so that whatever else the machine does meets all
of them; ratios are medians over rounds of times within one round. Results are compared first.
"""

import argparse
import importlib
import statistics
import tempfile
import time
from pathlib import Path

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

LENGTH = 200


def model(nodes, constants, result):
    graph = helper.make_graph(
        nodes,
        "chain",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", "m"])],
        [helper.make_tensor_value_info(result, TensorProto.FLOAT, None)],
        constants,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def adds():
    """LENGTH additions of one number."""
    one = numpy_helper.from_array(numpy.ones(1, numpy.float32), "one")
    nodes = [helper.make_node("Add", [f"y{i - 1}" if i else "x", "one"], [f"y{i}"]) for i in range(LENGTH)]
    return model(nodes, [one], f"y{LENGTH - 1}")


def copies_and_sums():
    """LENGTH steps that nothing can join: a transposed tensor is copied, twice into one, and summed over
    an axis, in turn. Transpositions need not be steps, and halving, which keeps the numbers small, can
    join the sum."""
    axis = numpy_helper.from_array(numpy.zeros(1, numpy.int64), "axis")
    nodes = []
    tensor = "x"
    for i in range(0, LENGTH, 2):
        nodes += [
            helper.make_node("Transpose", [tensor], [f"t{i}"], perm=[1, 0]),
            helper.make_node("Concat", [f"t{i}", f"t{i}"], [f"c{i}"], axis=0),
            helper.make_node("ReduceSum", [f"c{i}", "axis"], [f"s{i}"], keepdims=1),
            helper.make_node("Mul", [f"s{i}", "half"], [f"h{i}"]),
        ]
        tensor = f"h{i}"
    half = numpy_helper.from_array(numpy.full(1, 0.5, numpy.float32), "half")
    return model(nodes, [axis, half], tensor)


class Pliant:
    def __init__(self, path):
        import pliant

        self.version = pliant.__version__
        self.session = pliant.InferenceSession(str(path), pliant.SessionOptions(threads=1))

    def run(self, x):
        return self.session.run(None, {"x": x})[0]


class OnnxRuntime:
    def __init__(self, path):
        import onnxruntime

        self.version = onnxruntime.__version__
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def run(self, x):
        return self.session.run(None, {"x": x})[0]


class OpenVino:
    def __init__(self, path):
        import openvino

        self.version = openvino.__version__
        core = openvino.Core()
        hints = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}
        self.request = core.compile_model(str(path), "CPU", hints).create_infer_request()

    def run(self, x):
        return next(iter(self.request.infer({"x": x}).values()))


RUNTIMES = {"pliant": (Pliant, "pliant"), "onnxruntime": (OnnxRuntime, "onnxruntime"), "openvino": (OpenVino, "openvino")}


def available():
    found = {}
    for name, (runtime, module) in RUNTIMES.items():
        try:
            importlib.import_module(module)
            found[name] = runtime
        except ImportError as error:
            print(f"without {name}: {error}")
    return found


def seconds_of(runtime, inputs):
    start = time.perf_counter()
    for x in inputs:
        runtime.run(x)
    return (time.perf_counter() - start) / len(inputs)


def compare(title, built, inputs, rounds):
    """`inputs` are run in turn within each round."""
    for x in inputs:
        expected = built["pliant"].run(x)
        for name, runtime in built.items():
            numpy.testing.assert_allclose(runtime.run(x), expected, rtol=1e-3, atol=1e-4, err_msg=name)
    times = {name: [] for name in built}
    for _ in range(rounds):
        for name, runtime in built.items():
            times[name].append(seconds_of(runtime, inputs))
    print(f"\n{title}")
    for name in built:
        ratios = sorted(t / p for t, p in zip(times[name], times["pliant"]))
        quarter = len(ratios) // 4
        print(
            f"  {name:12} {1e6 * statistics.median(times[name]):8.1f} us per run, "
            f"{1e9 * statistics.median(times[name]) / LENGTH:7.1f} ns per step, "
            f"{statistics.median(ratios):6.2f} x the time of pliant ({ratios[quarter]:.2f} to {ratios[-1 - quarter]:.2f})"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=200, help="how often each chain is run by each runtime")
    rounds = parser.parse_args().rounds
    runtimes = available()
    if "pliant" not in runtimes:
        raise SystemExit("the Python package of this repository is not installed: pip install ./python")
    random = numpy.random.default_rng(1)
    few = [random.random((4, 4), numpy.float32)]
    many = [random.random((4 + i % 16, 4 + i // 16), numpy.float32) for i in range(192)]
    with tempfile.TemporaryDirectory() as folder:
        for name, build in (("adds", adds), ("copies and sums", copies_and_sums)):
            path = Path(folder) / f"{name.replace(' ', '_')}.onnx"
            onnx.save(build(), path)
            built = {runtime: make(path) for runtime, make in runtimes.items()}
            if name == "adds":
                print(", ".join(f"{runtime} {made.version}" for runtime, made in built.items()))
            compare(f"{LENGTH} {name}, one size again and again", built, few, rounds)
            compare(f"{LENGTH} {name}, {len(many)} sizes in turn", built, many, max(rounds // 40, 3))


if __name__ == "__main__":
    main()
