from onnx.reference import ReferenceEvaluator
from runtimes.runtime import Runtime


class Reference(Runtime):
    """The reference evaluator of ONNX, in NumPy: for answers, not for times."""

    def load(self):
        self.evaluator = ReferenceEvaluator(self.path)

    def run(self, feeds):
        return self.evaluator.run(None, {name: feeds[name] for name in self.evaluator.input_names})
