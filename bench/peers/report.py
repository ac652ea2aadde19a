"""Writes benchmarks.md and benchmarks.svg from what was measured.

python report.py FOLDER     writes them again from FOLDER/benchmarks.json
"""

import importlib.util
import json
import sys
from pathlib import Path

from findings import agreement_words, loss_words
from runtimes import RUNTIMES

LEGEND = """\
Cells of runtimes: time over Pliant's, median (quartiles); above 1 Pliant is faster, **bold** where the other one is. Cells of Pliant: time of
one request, and the share of NumPy's matrix product that its useful operations reach, where there are such. Rows with a unit, or with
"first" or "worst" in their name, have values of their own in each cell; less is better.
"""

METHOD = """\
## How it is measured

- Every runtime has a process of its own with {threads}: intra-op threads are set explicitly, inter-op threads and streams are 1. A
  process that is not at its turn is stopped by a signal, so threads that spin or compile in the background take nothing from others.
- In a round all runtimes serve the same requests, NumPy arrays in and out, one runtime after the other, another one first each time. What is compared is the
  time of a runtime over Pliant's *in the same round*; a cell is the median over the rounds, and the quartiles in brackets are the spread.
  Very short requests come many to a turn, so that a cold cache after the others' turns does not decide.
- Before, each runtime serves the checks of the row, untimed: small, largest and typical sizes. Their answers are compared: Pliant's with
  those of the ONNX reference evaluator, the others' with Pliant's, within 1e-4 plus 1e-3 of the value; decoders have to choose the same
  tokens. A runtime whose answers differ has no time.
- All have the same float32 weights. ONNX Runtime, OpenVINO and Pliant load one ONNX file; PyTorch runs the model as one would write it there;
  CTranslate2 gets it by its own format, and has only transformers. Options are the defaults, except OpenVINO's latency hint and float32.
  PyTorch compiles with `dynamic=True` and without a cache of earlier compilations; it compiles again for sizes of 1 and where sizes are no
  longer equal that were equal before.
- Share: operations of the model that are of use, over Pliant's time, over the speed at which NumPy multiplies matrices of 768 x 768
  beside each round, with as many threads. It can be above 100 %.
- In the rows of the cold start, processes are fresh; starting Python and importing is not counted, nor is building the PyTorch module. Memory
  is what the operating system counts as resident.
"""


def time_words(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            break
    return f"{number_words(seconds / size)} {unit}"


def number_words(value):
    digits = 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:.{digits}f}"


def cell(line, runtime):
    if runtime not in line["values"]:
        kind, _ = line["reasons"].get(runtime, ("–", ""))
        return "–" if kind == "declined" else kind
    median, low, high, count = line["values"][runtime]
    words = number_words(median)
    if count > 1:
        words += f" ({number_words(low)}–{number_words(high)})"
    return f"**{words}**" if line["unit"] == "x" and median < 1 else words


def pliant_cell(line):
    if line["unit"] != "x" or "pliant" not in line["values"]:
        return cell(line, "pliant")
    return time_words(line["seconds"]) + (f", {100 * line['share']:.0f} %" if line["share"] else "")


def table_lines(result, table):
    peers = [name for name in result["runtimes"] if name != "pliant"]
    head = ["row", "Pliant", *[RUNTIMES[name].title for name in peers]]
    yield "| " + " | ".join(head) + " |"
    yield "|---" * len(head) + "|"
    for line in sorted(table["lines"], key=lambda line: line["name"]):
        unit = {"x": "", "": ""}.get(line["unit"], f", {line['unit']}")
        cells = [line["name"] + unit, pliant_cell(line), *[cell(line, name) for name in peers]]
        yield "| " + " | ".join(cells) + " |"


def row_lines(table):
    for line in sorted(table["lines"], key=lambda line: line["name"]):
        note = f" {line['note'][0].upper()}{line['note'][1:]}." if line["note"] else ""
        rounds = max((values[3] for values in line["values"].values()), default=0)
        yield f"- `{line['name']}`: {line['about']}.{note} ({rounds} rounds)"


def first_lines(result, table):
    names = result["runtimes"]
    yield "| model | " + " | ".join(RUNTIMES[name].title for name in names) + " |"
    yield "|---" * (len(names) + 1) + "|"
    for workload, seconds in sorted(table["first"].items()):
        yield f"| {workload} | " + " | ".join(
            number_words(seconds[name]) if name in seconds else "–" for name in names
        ) + " |"


def trouble_lines(result, table):
    for runtime, words in result["missing"].items():
        yield f"- {RUNTIMES[runtime].title} could not be had: {words}"
    told = set()
    for line in table["lines"]:
        for runtime, (kind, words) in line["reasons"].items():
            if kind != "declined" and (runtime, words) not in told:
                told.add((runtime, words))
                yield f"- {RUNTIMES[runtime].title}, `{line['name']}`: {kind}: {words}"


def document(result):
    last = result["tables"][-1]
    machine = result["machine"]
    threads = f"{result['threads']} thread" + ("s" if result["threads"] > 1 else "")
    versions = ", ".join(f"{package} {version}" for package, version in result["versions"].items())
    quick = "\n\n**A quick run: tiny sizes, a few rounds. It shows that all works, and says nothing about speed.**"
    rates = [line["probe"] for line in last["lines"] if line["probe"]]
    probe = f"; NumPy multiplies at {min(rates) / 1e9:.0f} to {max(rates) / 1e9:.0f} GFLOP/s meanwhile" if rates else ""
    trouble = list(trouble_lines(result, last))
    parts = [
        "# Pliant beside other runtimes",
        f"Made by `{result['command']}` on {result['date']} in {last['minutes']:.0f} minutes; do not edit.{quick if result['quick'] else ''}",
        f"**Machine:** {machine['processor']}, {machine['cores']} cores, {' '.join(machine['flags'])}; "
        f"{machine['system']}; Python {machine['python']}; {threads}{probe}.  \n**Versions:** {versions}.",
        LEGEND.rstrip(),
        "\n".join(table_lines(result, last)),
        "![The ratios of the table](benchmarks.svg)",
        "## Where Pliant loses",
        loss_words(last),
        *([agreement_words(*result["tables"])] if len(result["tables"]) == 2 else []),
        "## The rows",
        "\n".join(row_lines(last)),
        "## Before the first answer",
        "Loading the model and the first request, in seconds: for PyTorch compiled, the time of compiling. Where later sizes "
        "make it compile again, in the checks or in a round, that is not here; medians pass over such rounds.",
        "\n".join(first_lines(result, last)),
        *(["## What is missing", "\n".join(trouble)] if trouble else []),
        METHOD.format(threads=threads).rstrip(),
    ]
    return "\n\n".join(parts) + "\n"


def write(result, folder):
    """The files that it wrote; without matplotlib there is no figure."""
    (folder / "benchmarks.md").write_text(document(result))
    yield folder / "benchmarks.md"
    if importlib.util.find_spec("matplotlib"):
        import figure

        figure.write(result["tables"][-1], result["runtimes"], folder / "benchmarks.svg")
        yield folder / "benchmarks.svg"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for written in write(json.loads((folder / "benchmarks.json").read_text()), folder):
        print(written)
