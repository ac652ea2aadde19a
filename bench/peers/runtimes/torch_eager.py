import numpy
import torch
from runtimes.runtime import Runtime


class TorchEager(Runtime):
    def __init__(self, workload, folder, threads):
        super().__init__(workload, folder, threads)
        torch.set_num_threads(threads)
        torch.set_num_interop_threads(1)
        self.module = workload.module().eval()

    def load(self):
        self.call = self.module

    def run(self, feeds):
        with torch.inference_mode():
            results = self.call(*[torch.from_numpy(numpy.asarray(feeds[name])) for name in self.workload.inputs])
        return [result.numpy() for result in (results if isinstance(results, tuple) else (results,))]
