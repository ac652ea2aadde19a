"""Sparse features: rows of several tables are gathered and added up, a few or many for each example."""

import numpy

import weights
from model_graph import FLOAT, INT64, Graph
from workloads.workload import Row, Workload, random_of

TABLES, WIDTH, HIDDEN = 4, 64, 128


class Sparse(Workload):
    """For each table: `ids`, the rows to add up; `bags`, the example that each belongs to (in order);
    `starts`, where each example begins, which says the same and is what PyTorch's embedding_bag wants."""

    name = "sparse"
    inputs = tuple(f"{part}{table}" for table in range(TABLES) for part in ("ids", "starts"))

    def __init__(self, quick):
        super().__init__(quick)
        self.rows_of_table = 100 if quick else 20_000

    def table(self, number):
        return weights.table(f"table{number}", self.rows_of_table, WIDTH)

    def layers(self):
        sizes = ((TABLES * WIDTH, HIDDEN), (HIDDEN, 1))
        return [
            (weights.matrix(f"sparse{i}", *size), weights.vector(f"sparse{i}.bias", size[1]))
            for i, size in enumerate(sizes)
        ]

    def model(self):
        graph = Graph()
        count = graph.input("count", INT64, [1])
        shape = graph.add("Concat", count, numpy.array([WIDTH]), axis=0)
        nothing = graph.add("ConstantOfShape", shape)
        sums = []
        for table in range(TABLES):
            ids = graph.input(f"ids{table}", INT64, [f"ids{table}"])
            bags = graph.add("Unsqueeze", graph.input(f"bags{table}", INT64, [f"ids{table}"]), numpy.array([1]))
            rows = graph.add("Gather", self.table(table), ids, axis=0)
            sums.append(graph.add("ScatterND", nothing, bags, rows, reduction="add"))
        first, second = self.layers()
        x = graph.add("Relu", graph.linear(graph.add("Concat", *sums, axis=1), *first))
        graph.output("scores", graph.add("Sigmoid", graph.linear(x, *second)), FLOAT, ["count", 1])
        return graph.model()

    def module(self):
        import torch
        from torch.nn import functional
        from workloads.encoder_torch import linear_of

        class Scorer(torch.nn.Module):
            def __init__(self, sparse):
                super().__init__()
                self.tables = torch.nn.ParameterList(torch.from_numpy(sparse.table(number)) for number in range(TABLES))
                self.first, self.second = (linear_of(*layer) for layer in sparse.layers())

            def forward(self, *ids_and_starts):
                pairs = zip(ids_and_starts[::2], ids_and_starts[1::2])
                sums = [
                    functional.embedding_bag(ids, table, starts, mode="sum")
                    for table, (ids, starts) in zip(self.tables, pairs)
                ]
                return self.second(self.first(torch.cat(sums, 1)).relu()).sigmoid()

        return Scorer(self)

    def rows(self):
        return [Bags(self)]


class Bags(Row):
    burst = 8

    def __init__(self, workload):
        self.batch, self.most = (4, 5) if workload.quick else (256, 50)
        about = f"{TABLES} tables, batch 1 to {self.batch}, 1 to {self.most} rows of {WIDTH} each; a small net follows"
        super().__init__(workload, "sparse_features", about)

    def of_batch(self, batch, *seed):
        random = random_of(*seed)
        feeds = {"count": numpy.array([batch])}
        for table in range(TABLES):
            counts = random.integers(1, self.most + 1, batch)
            feeds[f"ids{table}"] = random.integers(0, self.workload.rows_of_table, counts.sum())
            feeds[f"bags{table}"] = numpy.repeat(numpy.arange(batch), counts)
            feeds[f"starts{table}"] = numpy.cumsum(counts) - counts
        return feeds

    def request(self, number):
        return self.of_batch(int(random_of(15, number).integers(1, self.batch + 1)), 16, number)

    def checks(self):
        return [self.of_batch(batch, 17, batch) for batch in (2, 1, self.batch)]
