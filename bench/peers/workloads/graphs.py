"""A graph network: what neighbours say is gathered along edges and added up, in graphs of any size."""

import numpy

import weights
from model_graph import FLOAT, INT64, Graph
from workloads.workload import Row, Workload, random_of

SIZES = (64, 128, 128, 16)


class Graphs(Workload):
    name = "graphs"
    inputs = ("nodes", "edges", "strengths")

    def layers(self):
        wide = zip(SIZES, SIZES[1:])
        return [
            (weights.matrix(f"graph{i}", *size), weights.vector(f"graph{i}.bias", size[1]))
            for i, size in enumerate(wide)
        ]

    def model(self):
        graph = Graph()
        x = graph.input("nodes", FLOAT, ["nodes", SIZES[0]])
        edges = graph.input("edges", INT64, [2, "edges"])
        strengths = graph.add("Unsqueeze", graph.input("strengths", FLOAT, ["edges"]), numpy.array([1]))
        source = graph.add("Gather", edges, numpy.int64(0), axis=0)
        target = graph.add("Unsqueeze", graph.add("Gather", edges, numpy.int64(1), axis=0), numpy.array([1]))
        count = graph.extent(x, 0)
        for layer, (weight, bias) in enumerate(self.layers()):
            x = graph.add("MatMul", x, weight)
            messages = graph.add("Mul", graph.add("Gather", x, source, axis=0), strengths)
            shape = graph.add("Concat", count, numpy.array([weight.shape[1]]), axis=0)
            nothing = graph.add("ConstantOfShape", shape)
            x = graph.add("Add", graph.add("ScatterND", nothing, target, messages, reduction="add"), bias)
            if layer < 2:
                x = graph.add("Relu", x)
        graph.output("scores", x, FLOAT, ["nodes", SIZES[-1]])
        return graph.model()

    def module(self):
        import torch

        class Network(torch.nn.Module):
            def __init__(self, layers):
                super().__init__()
                self.weights = torch.nn.ParameterList(torch.from_numpy(weight) for weight, _ in layers)
                self.biases = torch.nn.ParameterList(torch.from_numpy(bias) for _, bias in layers)

            def forward(self, x, edges, strengths):
                for layer, (weight, bias) in enumerate(zip(self.weights, self.biases)):
                    x = x @ weight
                    messages = x[edges[0]] * strengths[:, None]
                    x = torch.zeros_like(x).index_add(0, edges[1], messages) + bias
                    if layer < 2:
                        x = x.relu()
                return x

        return Network(self.layers())

    def rows(self):
        return [GraphSizes(self)]


class GraphSizes(Row):
    burst = 8

    def __init__(self, workload):
        self.low, self.high = (3, 20) if workload.quick else (30, 3000)
        about = "3 layers of graph convolution, {} to {} nodes with 2 to 10 edges each, all sizes new"
        super().__init__(workload, "graph_sizes", about.format(self.low, self.high))

    def of_size(self, nodes, *seed):
        random = random_of(*seed)
        edges = random.integers(2, 11) * nodes
        return {
            "nodes": random.standard_normal((nodes, SIZES[0]), numpy.float32),
            "edges": random.integers(0, nodes, (2, edges)),
            "strengths": random.random(edges, numpy.float32) / 5,
        }

    def request(self, number):
        # Small graphs are as frequent as large ones.
        nodes = int(numpy.exp(random_of(12, number).uniform(numpy.log(self.low), numpy.log(self.high))))
        return self.of_size(nodes, 13, number)

    def checks(self):
        return [self.of_size(nodes, 14, nodes) for nodes in (self.low, self.high)]
