"""A transformer encoder as BERT is: batches of one length, of mixed lengths, and storms of shapes."""

import numpy

import weights
from model_graph import FLOAT, INT64, Graph
from workloads.workload import Row, Workload, random_of, spread_evenly

POSITIONS = 512
VOCABULARY = 2000


class Encoder(Workload):
    """Token numbers and a mask go in, the hidden states of the last layer come out."""

    name = "encoder"
    inputs = ("ids", "mask")
    layers, hidden, heads = 12, 768, 12

    def __init__(self, quick):
        super().__init__(quick)
        if quick:
            self.layers, self.hidden, self.heads = 2, 32, 2

    def linears(self, layer):
        """name -> (weight, bias)"""
        wide = 4 * self.hidden
        sizes = {
            "query": (self.hidden, self.hidden),
            "key": (self.hidden, self.hidden),
            "value": (self.hidden, self.hidden),
            "joined": (self.hidden, self.hidden),
            "up": (self.hidden, wide),
            "down": (wide, self.hidden),
        }
        return {
            name: (weights.matrix(f"{layer}.{name}", *size), weights.vector(f"{layer}.{name}.bias", size[1]))
            for name, size in sizes.items()
        }

    def norm(self, name):
        return weights.vector(f"{name}.scale", self.hidden, around=1.0), weights.vector(f"{name}.bias", self.hidden)

    def words(self):
        return weights.table("words", VOCABULARY, self.hidden)

    def positions(self):
        return weights.table("positions", POSITIONS, self.hidden)

    def model(self):
        graph = Graph()
        size = self.hidden // self.heads
        ids = graph.input("ids", INT64, ["batch", "length"])
        mask = graph.input("mask", INT64, ["batch", "length"])
        zero, one = numpy.array([0]), numpy.array([1])
        positions = graph.add("Slice", self.positions(), zero, graph.extent(ids, 1), zero)
        x = graph.add("Add", graph.add("Gather", self.words(), ids), positions)
        x = graph.layer_norm(x, *self.norm("embedding"))
        hidden_away = graph.add(
            "Sub", 1.0, graph.add("Cast", graph.add("Unsqueeze", mask, numpy.array([1, 2])), to=FLOAT)
        )
        added = graph.add("Mul", hidden_away, float(numpy.finfo(numpy.float32).min))
        for layer in range(self.layers):
            linears = self.linears(layer)
            query, key, value = (
                graph.split_heads(graph.linear(x, *linears[part]), self.heads, size)
                for part in ("query", "key", "value")
            )
            joined = graph.join_heads(graph.attention(query, key, value, size, added), self.hidden)
            x = graph.add("Add", graph.linear(joined, *linears["joined"]), x)
            x = graph.layer_norm(x, *self.norm(f"{layer}.attention"))
            wide = graph.gelu(graph.linear(x, *linears["up"]))
            x = graph.add("Add", graph.linear(wide, *linears["down"]), x)
            x = graph.layer_norm(x, *self.norm(f"{layer}.output"))
        graph.output("states", x, FLOAT, ["batch", "length", self.hidden])
        return graph.model()

    def module(self):
        from workloads.encoder_torch import EncoderModule

        return EncoderModule(self)

    def ctranslate2_spec(self):
        from workloads.encoder_ctranslate2 import encoder_spec

        return encoder_spec(self, VOCABULARY)

    def operations(self, batch, length):
        products = 2 * 12 * self.hidden * self.hidden
        attention = 4 * length * self.hidden
        return self.layers * batch * length * (products + attention)

    def rows(self):
        batch, low, high = (3, 4, 16) if self.quick else (16, 64, 512)
        return [
            Lengths(self, f"encoder_{low}_{high}_b{batch}", batch, low, high, share=12),
            Lengths(self, f"encoder_{low}_{high}_b1", 1, low, high, share=4),
            RaggedBatch(self, "ragged_batch"),
            OneByOne(self, "ragged_one_by_one"),
        ]


def tokens(random, batch, length):
    return {
        "ids": random.integers(1, VOCABULARY, (batch, length)),
        "mask": numpy.ones((batch, length), numpy.int64),
    }


class Lengths(Row):
    """Batches of sequences of one length, another length in each request."""

    def __init__(self, workload, name, batch, low, high, share):
        super().__init__(workload, name, f"{batch} sequences of one length, {low} to {high}, another in each request")
        self.batch, self.low, self.high, self.share = batch, low, high, share

    def request(self, number):
        return tokens(random_of(1, number), self.batch, spread_evenly(number, self.low, self.high))

    def checks(self):
        # The first is small, for the reference; with one sequence, two would be another kind of shape.
        few = min(self.batch, 2)
        return [tokens(random_of(2), few, self.low)] + [
            tokens(random_of(2, length), self.batch, length) for length in (self.low, self.high)
        ]

    def operations(self, request):
        return self.workload.operations(*request["ids"].shape)


class Ragged(Row):
    """Sequences of mixed lengths that arrive together. Answers are the states of each at its own length."""

    share = 4

    def __init__(self, workload, name):
        self.count, self.low, self.high = (3, 2, 9) if workload.quick else (16, 16, 256)
        super().__init__(
            workload,
            name,
            f"{self.count} sequences that come together, lengths {self.low} to {self.high} mixed; {self.way}",
        )

    def request(self, number):
        random = random_of(3, number)
        lengths = random.integers(self.low, self.high + 1, self.count)
        return {"sequences": [random.integers(1, VOCABULARY, length) for length in lengths]}

    def checks(self):
        short = {"sequences": [random_of(4, length).integers(1, VOCABULARY, length) for length in (2, 5)]}
        few = self.request(10**6)["sequences"][:4]  # all of them take long, and check nothing else
        return [short, {"sequences": few}]

    def operations(self, request):
        return sum(self.workload.operations(1, len(ids)) for ids in request["sequences"])


def one_by_one(runtime, sequences):
    return [runtime.run({"ids": ids[None], "mask": numpy.ones((1, len(ids)), numpy.int64)})[0][0] for ids in sequences]


def padded(runtime, sequences):
    lengths = [len(ids) for ids in sequences]
    ids = numpy.zeros((len(sequences), max(lengths)), numpy.int64)
    mask = numpy.zeros_like(ids)
    for row, sequence in enumerate(sequences):
        ids[row, : len(sequence)] = sequence
        mask[row, : len(sequence)] = 1
    [states] = runtime.run({"ids": ids, "mask": mask})
    return [states[row, :length] for row, length in enumerate(lengths)]


class RaggedBatch(Ragged):
    way = "peers pad them to the longest, Pliant runs each at its own length"

    def serve(self, runtime, request):
        return (padded if runtime.pads else one_by_one)(runtime, request["sequences"])

    def note(self):
        useful = computed = 0
        for number in range(50):
            lengths = [len(ids) for ids in self.request(number)["sequences"]]
            useful += sum(self.workload.operations(1, length) for length in lengths)
            computed += self.workload.operations(len(lengths), max(lengths))
        return f"{100 * useful / computed:.0f} % of what a padded batch computes is of use"


class OneByOne(Ragged):
    way = "all run one after the other"

    def serve(self, runtime, request):
        return one_by_one(runtime, request["sequences"])
