import onnxruntime
from runtimes.runtime import Runtime


class OnnxRuntime(Runtime):
    def load(self):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(self.path, options, providers=["CPUExecutionProvider"])
        self.names = [value.name for value in self.session.get_inputs()]

    def run(self, feeds):
        return self.session.run(None, {name: feeds[name] for name in self.names})
