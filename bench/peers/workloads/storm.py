"""A small encoder under sizes that hardly ever repeat, and from its first request on."""

from workloads.encoder import Encoder, tokens
from workloads.workload import Row, random_of


class Storm(Encoder):
    name = "storm"
    layers, hidden, heads = 2, 256, 4

    def rows(self):
        return [ShapeStorm(self), ColdStart(self)]


class ShapeStorm(Row):
    measure = "two_passes"
    share = 12

    def __init__(self, workload):
        self.batches, self.lengths = ((1, 4), (5, 12)) if workload.quick else ((1, 64), (30, 280))
        about = "2 layers of hidden size 256, batch {} to {}, length {} to {}, nearly every pair of sizes new"
        super().__init__(workload, "shape_storm", about.format(*self.batches, *self.lengths))

    def request(self, number):
        random = random_of(5, number)
        return tokens(random, random.integers(self.batches[0], self.batches[1] + 1), random.integers(*self.lengths))

    def checks(self):
        # Just below the range, so that no size is met before its time; no two sizes alike, which PyTorch would
        # take for a rule.
        return [tokens(random_of(6), 2, self.lengths[0] - 1), tokens(random_of(6), 1, self.lengths[0] - 2)]

    def operations(self, request):
        return self.workload.operations(*request["ids"].shape)


class ColdStart(Row):
    """Batches of one, so that the table does not wait long for the later requests."""

    measure = "cold_start"
    share = 2
    first = 20

    def __init__(self, workload):
        self.later = 20 if workload.quick else 200
        self.lengths = (5, 12) if workload.quick else (30, 280)
        about = "2 layers of hidden size 256, batch 1, length {} to {}, a fresh process"
        super().__init__(workload, "cold_start", about.format(*self.lengths))

    def request(self, number):
        random = random_of(7, number)
        return tokens(random, 1, random.integers(*self.lengths))

    def checks(self):
        return []  # nothing may be warm
