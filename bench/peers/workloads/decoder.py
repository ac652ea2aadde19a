"""A decoder as GPT-2 is, which writes token by token and keeps the keys and values of what came before."""

import numpy

import weights
from model_graph import FLOAT, INT64, Graph
from workloads.workload import Row, Workload, random_of

POSITIONS = 1024


class Decoder(Workload):
    """Token numbers and the past of each layer go in; the scores of the next token and the past with
    these tokens come out."""

    name = "decoder"
    layers, hidden, heads, vocabulary = 6, 512, 8, 8000

    def __init__(self, quick):
        super().__init__(quick)
        if quick:
            self.layers, self.hidden, self.heads, self.vocabulary = 2, 32, 2, 100
        self.past = [f"past_{part}{layer}" for layer in range(self.layers) for part in ("key", "value")]
        self.inputs = ("ids", *self.past)

    def linears(self, layer):
        wide = 4 * self.hidden
        sizes = {"mixed": (self.hidden, 3 * self.hidden), "joined": (self.hidden, self.hidden)}
        sizes |= {"up": (self.hidden, wide), "down": (wide, self.hidden)}
        return {
            name: (
                weights.matrix(f"decoder{layer}.{name}", *size),
                weights.vector(f"decoder{layer}.{name}.bias", size[1]),
            )
            for name, size in sizes.items()
        }

    def norm(self, name):
        scale = weights.vector(f"decoder{name}.scale", self.hidden, around=1.0)
        return scale, weights.vector(f"decoder{name}.bias", self.hidden)

    def words(self):
        return weights.table("decoder.words", self.vocabulary, self.hidden)

    def positions(self):
        return weights.table("decoder.positions", POSITIONS, self.hidden)

    def scores(self):
        return weights.matrix("decoder.scores", self.hidden, self.vocabulary)

    def nothing(self):
        """The past before the first token."""
        empty = numpy.zeros((1, self.heads, 0, self.hidden // self.heads), numpy.float32)
        return {name: empty for name in self.past}

    def model(self):
        graph = Graph()
        size = self.hidden // self.heads
        ids = graph.input("ids", INT64, ["batch", "step"])
        past = [graph.input(name, FLOAT, ["batch", self.heads, "past", size]) for name in self.past]
        before = graph.add("Gather", graph.add("Shape", past[0]), numpy.int64(2), axis=0)
        step = graph.add("Gather", graph.add("Shape", ids), numpy.int64(1), axis=0)
        after = graph.add("Add", before, step)
        places = graph.add("Range", before, after, numpy.int64(1))
        all_places = graph.add("Range", numpy.int64(0), after, numpy.int64(1))
        seen = graph.add("LessOrEqual", all_places, graph.add("Unsqueeze", places, numpy.array([1])))
        mask = graph.add("Where", seen, 0.0, float(numpy.finfo(numpy.float32).min))
        x = graph.add("Add", graph.add("Gather", self.words(), ids), graph.add("Gather", self.positions(), places))
        for layer in range(self.layers):
            linears = self.linears(layer)
            mixed = graph.linear(graph.layer_norm(x, *self.norm(f"{layer}.attention")), *linears["mixed"])
            query, key, value = (
                graph.split_heads(self.part(graph, mixed, part), self.heads, size) for part in range(3)
            )
            key = graph.add("Concat", past[2 * layer], key, axis=2)
            value = graph.add("Concat", past[2 * layer + 1], value, axis=2)
            joined = graph.join_heads(graph.attention(query, key, value, size, mask), self.hidden)
            x = graph.add("Add", graph.linear(joined, *linears["joined"]), x)
            wide = graph.gelu(graph.linear(graph.layer_norm(x, *self.norm(f"{layer}.output")), *linears["up"]))
            x = graph.add("Add", graph.linear(wide, *linears["down"]), x)
            for part, tensor in (("key", key), ("value", value)):
                graph.output(f"present_{part}{layer}", tensor, FLOAT, ["batch", self.heads, "all", size])
        last = graph.add("Gather", graph.layer_norm(x, *self.norm("last")), numpy.int64(-1), axis=1)
        graph.output("scores", graph.add("MatMul", last, self.scores()), FLOAT, ["batch", self.vocabulary])
        return graph.model()

    def part(self, graph, mixed, number):
        bounds = (numpy.array([number * self.hidden]), numpy.array([(number + 1) * self.hidden]))
        return graph.add("Slice", mixed, *bounds, numpy.array([2]))

    def module(self):
        from workloads.decoder_torch import DecoderModule

        return DecoderModule(self)

    def ctranslate2_spec(self):
        from workloads.decoder_ctranslate2 import decoder_spec

        return decoder_spec(self)

    def operations(self, tokens):
        """Of as many tokens with a short past."""
        return 2 * tokens * self.hidden * (12 * self.layers * self.hidden + self.vocabulary)

    def rows(self):
        return [Decode(self)]


class Decode(Row):
    """The most likely token again and again. Answers are the tokens, so that runtimes which keep the
    scores to themselves can be compared too."""

    share = 4

    def __init__(self, workload):
        self.prompts, self.steps = ((2, 5), 4) if workload.quick else ((8, 64), 32)
        about = "{} layers of hidden size {}, batch 1: a prompt of {} to {} tokens, then {} tokens one by one"
        super().__init__(
            workload, "decode_with_cache", about.format(workload.layers, workload.hidden, *self.prompts, self.steps)
        )

    def of_length(self, length, *seed):
        return {"prompt": random_of(*seed).integers(1, self.workload.vocabulary, length), "steps": self.steps}

    def request(self, number):
        return self.of_length(random_of(18, number).integers(self.prompts[0], self.prompts[1] + 1), 19, number)

    def checks(self):
        return [self.of_length(length, 20, length) for length in self.prompts]

    def serve(self, runtime, request):
        if hasattr(runtime, "generate"):
            return [runtime.generate(request["prompt"], request["steps"])]
        feeds = {"ids": request["prompt"][None], **self.workload.nothing()}
        tokens = []
        for _ in range(request["steps"]):
            *present, scores = runtime.run(feeds)
            # Token 0 ends a text elsewhere, so nobody may choose it.
            tokens.append(1 + int(scores[0, 1:].argmax()))
            feeds = {"ids": numpy.array([tokens[-1:]]), **dict(zip(self.workload.past, present))}
        return [numpy.array(tokens)]

    def operations(self, request):
        return self.workload.operations(len(request["prompt"]) + request["steps"] - 1)
