import openvino
from runtimes.runtime import Runtime


class OpenVino(Runtime):
    def load(self):
        settings = {
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_NUM_THREADS": self.threads,
            "NUM_STREAMS": 1,
            "INFERENCE_PRECISION_HINT": "f32",
        }
        compiled = openvino.Core().compile_model(self.path, "CPU", settings)
        self.infer = compiled.create_infer_request().infer
        self.names = [value.any_name for value in compiled.inputs]

    def run(self, feeds):
        # Inputs are read where they lie. Outputs are copied: shared ones would be overwritten by the next
        # run, which may read them.
        return list(self.infer({name: feeds[name] for name in self.names}, share_inputs=True).values())
