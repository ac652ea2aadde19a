import time

import numpy
from runtimes.runtime import Runtime

SIZE = 768


class Probe(Runtime):
    """Tells how fast the machine multiplies at the moment: a product of square matrices in NumPy, with as
    many threads as everybody has. It has a turn in each round, so that shares of it can be told while the
    speed of the machine changes."""

    def load(self):
        self.matrices = numpy.random.default_rng(1).standard_normal((2, SIZE, SIZE), numpy.float32)
        self.rate()

    def rate(self):
        """Floating point operations per second: the better of two."""
        seconds = []
        for _ in range(2):
            start = time.perf_counter()
            numpy.matmul(*self.matrices)
            seconds.append(time.perf_counter() - start)
        return 2 * SIZE**3 / min(seconds)
