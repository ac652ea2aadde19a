import torch
from runtimes.torch_eager import TorchEager


class TorchCompiled(TorchEager):
    """Compiles when the first request comes, and again for sizes that change what has to be done."""

    def load(self):
        self.call = torch.compile(self.module, dynamic=True)
