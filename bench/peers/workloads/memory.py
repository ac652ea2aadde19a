"""What a process keeps when shapes never stop changing."""

import numpy

import weights
from model_graph import FLOAT, Graph
from workloads.workload import Row, Workload, random_of


class Memory(Workload):
    name = "memory"
    inputs = ("x",)
    width, wide = 8, 16

    def layers(self):
        sizes = ((self.width, self.wide), (self.wide, self.width))
        return [
            (weights.matrix(f"memory{i}", *size), weights.vector(f"memory{i}.bias", size[1]))
            for i, size in enumerate(sizes)
        ]

    def model(self):
        graph = Graph()
        first, second = self.layers()
        x = graph.input("x", FLOAT, ["batch", "length", self.width])
        x = graph.linear(graph.gelu(graph.linear(x, *first)), *second)
        x = graph.add("ReduceMean", graph.add("Softmax", x, axis=1), axes=[2], keepdims=0)
        graph.output("y", x, FLOAT, ["batch", "length"])
        return graph.model()

    def module(self):
        import torch
        from torch.nn import functional
        from workloads.encoder_torch import linear_of

        class Small(torch.nn.Module):
            def __init__(self, first, second):
                super().__init__()
                self.first, self.second = linear_of(*first), linear_of(*second)

            def forward(self, x):
                return self.second(functional.gelu(self.first(x))).softmax(1).mean(2)

        return Small(*self.layers())

    def rows(self):
        return [RandomShapes(self)]


class RandomShapes(Row):
    measure = "memory"
    share = 0

    def __init__(self, workload):
        # The first ones, until about the largest has been there, are not counted.
        self.before, self.until, self.largest = (20, 120, 20) if workload.quick else (1000, 20_000, 150)
        about = f"two small layers, {self.until} requests of random batch and length from 1 to {self.largest}"
        super().__init__(workload, "memory_growth", about)

    def of_size(self, batch, length):
        # All zeros: making random numbers would take longer than the requests.
        return {"x": numpy.zeros((batch, length, self.workload.width), numpy.float32)}

    def request(self, number):
        return self.of_size(*random_of(22, number).integers(1, self.largest + 1, 2))

    def checks(self):
        return [
            {"x": random_of(23).standard_normal((*size, self.workload.width), numpy.float32)}
            for size in ((2, 3), (3, 20))
        ]
