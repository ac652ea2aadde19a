"""What a tiny step costs: long chains of steps on tensors of a few floats."""

import numpy

from model_graph import FLOAT, Graph
from workloads.workload import Row, Workload, random_of

LENGTH = 200


class Adds(Workload):
    """LENGTH additions of one number."""

    name = "adds"
    inputs = ("x",)

    def model(self):
        graph = Graph()
        x = graph.input("x", FLOAT, ["n", "m"])
        for _ in range(LENGTH):
            x = graph.add("Add", x, numpy.ones(1, numpy.float32))
        graph.output("y", x, FLOAT, ["n", "m"])
        return graph.model()

    def module(self):
        import torch

        class Chain(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.one = torch.nn.Parameter(torch.ones(1))

            def forward(self, x):
                for _ in range(LENGTH):
                    x = x + self.one
                return x

        return Chain()

    def rows(self):
        return [OneSize(self, "additions"), ManySizes(self, "additions")]


class CopiesAndSums(Workload):
    """LENGTH steps that nothing can join: a transposed tensor is copied, twice into one, and summed over
    an axis, in turn. Transpositions need not be steps, and halving, which keeps the numbers small, can
    join the sum."""

    name = "copies_and_sums"
    inputs = ("x",)

    def model(self):
        graph = Graph()
        x = graph.input("x", FLOAT, ["n", "m"])
        for _ in range(LENGTH // 2):
            x = graph.add("Transpose", x, perm=[1, 0])
            x = graph.add("Concat", x, x, axis=0)
            x = graph.add("Mul", graph.add("ReduceSum", x, numpy.array([0]), keepdims=1), 0.5)
        graph.output("y", x, FLOAT, [None, None])
        return graph.model()

    def module(self):
        import torch

        class Chain(torch.nn.Module):
            def forward(self, x):
                for _ in range(LENGTH // 2):
                    x = x.t()
                    x = torch.cat((x, x)).sum(0, keepdim=True) * 0.5
                return x

        return Chain()

    def rows(self):
        return [OneSize(self, "copies and sums"), ManySizes(self, "copies and sums")]


class Chain(Row):
    share = 0.5
    # A size of 1 would make other programs of the chains.
    least = 4
    different = 1

    def of_size(self, n, m):
        return {"x": random_of(21, n, m).random((n, m), numpy.float32)}

    def request(self, number):
        return self.of_size(self.least + number % 16, self.least + number // 16 % self.different)


class OneSize(Chain):
    burst = 32

    def __init__(self, workload, steps):
        super().__init__(workload, f"chain_{workload.name}_one_size", f"{LENGTH} {steps} on 16 floats")

    def request(self, number):
        return self.of_size(self.least, self.least)

    def checks(self):
        return [self.request(0)]


class ManySizes(Chain):
    different = 12
    burst = 16 * different

    def __init__(self, workload, steps):
        sizes = self.burst
        super().__init__(workload, f"chain_{workload.name}_many_sizes", f"{LENGTH} {steps}, {sizes} sizes in turn")

    def checks(self):
        return [self.request(number) for number in range(self.burst)]
