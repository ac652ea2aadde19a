"""Lines of text of any width: a convolutional net as OCR recognisers have it, and a CTC head."""

import numpy

import weights
from model_graph import FLOAT, Graph
from workloads.workload import Row, Workload, random_of, spread_evenly

HEIGHT = 48
# channels and the stride along the height of each depthwise-separable block; the stem halves both axes
BLOCKS = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (256, 1), (512, 2), (512, 1)]


class Ocr(Workload):
    """[batch, 3, 48, width] becomes the probability of each letter at each quarter of the width."""

    name = "ocr"
    inputs = ("image",)
    letters = 6625
    blocks = BLOCKS

    def __init__(self, quick):
        super().__init__(quick)
        if quick:
            self.letters, self.blocks = 50, [(8, 1), (16, 2)]

    def convolutions(self):
        """(weight, bias, strides, groups, whether an activation follows), in order."""
        made = [self.convolution("stem", 3, 32, 3, (2, 2))]
        channels = 32
        for number, (wide, down) in enumerate(self.blocks):
            stride = (down, 2 if number == 1 else 1)
            made.append(self.convolution(f"deep{number}", channels, channels, 3, stride, groups=channels))
            made.append(self.convolution(f"point{number}", channels, wide, 1, (1, 1)))
            channels = wide
        return made

    def convolution(self, name, channels, wide, size, strides, groups=1):
        taps = channels // groups * size * size
        weight = weights.matrix(name, taps, wide).T.reshape(wide, channels // groups, size, size)
        return numpy.ascontiguousarray(weight * 1.5), weights.vector(f"{name}.bias", wide), strides, groups

    def head(self):
        channels = self.blocks[-1][0]
        return weights.matrix("head", channels, self.letters), weights.vector("head.bias", self.letters)

    def model(self):
        graph = Graph()
        x = graph.input("image", FLOAT, ["batch", 3, HEIGHT, "width"])
        for weight, bias, strides, groups in self.convolutions():
            pad = weight.shape[-1] // 2
            x = graph.add("Conv", x, weight, bias, strides=strides, group=groups, pads=[pad] * 4)
            x = graph.add("HardSwish", x)
        x = graph.add("ReduceMean", x, axes=[2], keepdims=0)
        x = graph.linear(graph.add("Transpose", x, perm=[0, 2, 1]), *self.head())
        graph.output("letters", graph.add("Softmax", x, axis=-1), FLOAT, ["batch", "steps", self.letters])
        return graph.model()

    def module(self):
        import torch
        from torch.nn import functional
        from workloads.encoder_torch import linear_of

        class Recogniser(torch.nn.Module):
            def __init__(self, ocr):
                super().__init__()
                self.convolutions = torch.nn.ModuleList()
                for weight, bias, strides, groups in ocr.convolutions():
                    wide, channels, size, _ = weight.shape
                    made = torch.nn.Conv2d(channels * groups, wide, size, strides, size // 2, groups=groups)
                    made.weight = torch.nn.Parameter(torch.from_numpy(weight))
                    made.bias = torch.nn.Parameter(torch.from_numpy(bias))
                    self.convolutions.append(made)
                self.head = linear_of(*ocr.head())

            def forward(self, x):
                for convolution in self.convolutions:
                    x = functional.hardswish(convolution(x))
                return self.head(x.mean(2).transpose(1, 2)).softmax(-1)

        return Recogniser(self)

    def operations(self, width):
        height, width, total = HEIGHT, width, 0
        for weight, _, (down, along), _ in self.convolutions():
            height, width = -(-height // down), -(-width // along)
            total += 2 * weight.size * height * width
        return total + 2 * self.head()[0].size * width

    def rows(self):
        return [NewWidths(self), SeenWidths(self)]


class Widths(Row):
    share = 2

    def __init__(self, workload, name, about):
        self.low, self.high = (20, 60) if workload.quick else (100, 1600)
        super().__init__(workload, name, about.format(self.low, self.high))

    def of_width(self, width):
        return {"image": random_of(11, width).standard_normal((1, 3, HEIGHT, width), numpy.float32)}

    def checks(self):
        # 1 below the range and 1 above it: sizes that no request has.
        return [self.of_width(width) for width in (self.low - 1, self.high + 1)]

    def operations(self, request):
        return self.workload.operations(request["image"].shape[-1])


class NewWidths(Widths):
    def __init__(self, workload):
        super().__init__(workload, "ocr_new_widths", "one line of text, width {} to {}, each width for the first time")

    def request(self, number):
        # Up to 1022 no width comes twice.
        return self.of_width(spread_evenly(number, self.low, self.high))


class SeenWidths(Widths):
    seen = 12

    def __init__(self, workload):
        super().__init__(workload, "ocr_seen_widths", "one line of text, 12 widths from {} to {} again and again")

    def request(self, number):
        return self.of_width(spread_evenly(number % self.seen, self.low, self.high))

    def checks(self):
        return super().checks() + [self.request(number) for number in range(self.seen)]
