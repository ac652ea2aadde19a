"""Two layers, and a batch that fluctuates."""

import numpy

import weights
from model_graph import FLOAT, Graph
from workloads.workload import Row, Workload, random_of


class Mlp(Workload):
    name = "mlp"
    inputs = ("x",)
    sizes = (256, 1024, 256)

    def layers(self):
        wide = zip(self.sizes, self.sizes[1:])
        return [
            (weights.matrix(f"mlp{i}", *size), weights.vector(f"mlp{i}.bias", size[1])) for i, size in enumerate(wide)
        ]

    def model(self):
        graph = Graph()
        first, second = self.layers()
        x = graph.add("Relu", graph.linear(graph.input("x", FLOAT, ["batch", self.sizes[0]]), *first))
        graph.output("y", graph.linear(x, *second), FLOAT, ["batch", self.sizes[-1]])
        return graph.model()

    def module(self):
        import torch
        from workloads.encoder_torch import linear_of

        first, second = self.layers()
        return torch.nn.Sequential(linear_of(*first), torch.nn.ReLU(), linear_of(*second))

    def rows(self):
        return [FluctuatingBatch(self)]


class FluctuatingBatch(Row):
    burst = 64

    def __init__(self, workload):
        super().__init__(workload, "mlp_fluctuating_batch", "256-1024-256, batch 1 to 64, another in each request")
        if workload.quick:
            self.burst = 4

    def of_batch(self, batch, *seed):
        return {"x": random_of(*seed).standard_normal((batch, 256), numpy.float32)}

    def request(self, number):
        return self.of_batch(random_of(8, number).integers(1, 65), 9, number)

    def checks(self):
        return [self.of_batch(batch, 10) for batch in (2, 1, 37, 64)]

    def operations(self, request):
        return 4 * 256 * 1024 * len(request["x"])
