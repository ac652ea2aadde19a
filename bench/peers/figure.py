"""Draws the ratios of the table: a line for each row, a point for each runtime."""

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot, rcParams  # noqa: E402

from runtimes import RUNTIMES  # noqa: E402

rcParams["svg.hashsalt"] = "pliant"  # the same numbers give the same file
rcParams["svg.fonttype"] = "none"

# A runtime looks the same in each figure.
MARKS = {
    "onnxruntime": ("tab:blue", "o"),
    "openvino": ("tab:purple", "s"),
    "torch_eager": ("tab:orange", "^"),
    "torch_compiled": ("tab:red", "v"),
    "ctranslate2": ("tab:green", "D"),
}


def write(table, runtimes, path):
    lines = sorted(
        (line for line in table["lines"] if line["unit"] == "x"), key=lambda line: line["name"], reverse=True
    )
    peers = [name for name in runtimes if name != "pliant"]
    drawing, axes = pyplot.subplots(figsize=(9, 1.2 + 0.42 * len(lines)), layout="constrained")
    axes.axvline(1, color="black", linewidth=1)
    for number, peer in enumerate(peers):
        colour, mark = MARKS[peer]
        height, points = [], []
        for place, line in enumerate(lines):
            if peer in line["values"]:
                height.append(place + 0.12 * ((len(peers) - 1) / 2 - number))
                points.append(line["values"][peer])
        medians = [point[0] for point in points]
        reach = [[point[0] - point[1] for point in points], [point[2] - point[0] for point in points]]
        axes.errorbar(
            medians,
            height,
            xerr=reach,
            color=colour,
            fmt=mark,
            markersize=5,
            linewidth=1,
            label=RUNTIMES[peer].title,
        )
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.xaxis.set_minor_formatter(lambda value, _: f"{value:g}" if f"{value:g}"[-1] in "25" else "")
    axes.set_yticks(range(len(lines)), [line["name"] for line in lines])
    axes.set_ylim(-0.6, len(lines) - 0.4)
    axes.grid(axis="x", which="both", alpha=0.2)
    axes.set_xlabel("time over Pliant's in the same round: median and quartiles; right of 1 Pliant is faster")
    if peers:
        drawing.legend(loc="outside upper center", ncols=len(peers), frameon=False, fontsize="small")
    drawing.savefig(path, metadata={"Date": None})
    pyplot.close(drawing)
