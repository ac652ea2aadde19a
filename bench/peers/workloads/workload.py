"""What a workload is: a model, and the rows of the table, each with requests for it."""

import numpy


class Workload:
    """One model in each form that a runtime wants. `quick` asks for tiny sizes.

    `name`        names its file of results
    `inputs`      names of the model's inputs, in the order of the PyTorch module's arguments
    `relative`, `absolute`   how far answers may be apart: absolute + relative * |answer|
    """

    name = ""
    inputs = ()
    relative = 1e-3
    absolute = 1e-4

    def __init__(self, quick):
        self.quick = quick

    def model(self):
        """The ONNX model."""
        raise NotImplementedError

    def module(self):
        """The same as a torch.nn.Module that returns a tensor or a tuple; imports torch itself."""
        raise NotImplementedError

    def ctranslate2_spec(self):
        """The same as a model specification of CTranslate2; None: it has no such kind."""
        return None

    def rows(self):
        """The Row objects that send requests to this model."""
        raise NotImplementedError


class Row:
    """Requests that are measured together and make one line of the table.

    `name`     of the line
    `about`    what is sent, in a few words
    `measure`  how it is measured: a name of measures.MEASURES
    `share`    how much of the time of a table it gets, beside others
    `burst`    requests in one turn; short ones come many at a time, so that neither the clock nor
               caches that another runtime emptied decide
    """

    measure = "turns"
    share = 1.0
    burst = 1

    def __init__(self, workload, name, about):
        self.workload, self.name, self.about = workload, name, about

    def request(self, number):
        """The feeds of a request. The same number always gives the same."""
        raise NotImplementedError

    def checks(self):
        """Requests that warm up and whose answers are compared: small first, largest sizes among them.
        The first is given to the ONNX reference evaluator too, which is very slow."""
        raise NotImplementedError

    def serve(self, runtime, request):
        """Answers a request by runtime.run(); returns the arrays that all runtimes must agree on."""
        return runtime.run(request)

    def operations(self, request):
        """Floating point operations that the answer needs; 0 where time is not about them."""
        return 0

    def note(self):
        """A remark for the table, made from the data of the row; empty if there is none."""
        return ""


def random_of(*seeds):
    return numpy.random.default_rng(seeds)


def spread_evenly(number, low, high):
    """The number-th of a sequence in low..high of which any stretch covers the range evenly (van der
    Corput), so that few rounds are not all small or all large."""
    fraction, scale = 0.0, 0.5
    number += 1
    while number:
        fraction += scale * (number & 1)
        number >>= 1
        scale /= 2
    return low + int(fraction * (high - low + 1))
