"""What the table says, in sentences made from its numbers."""

from runtimes import RUNTIMES
from spread import Spread, agree


def ratios(table):
    """(name of the line, runtime, Spread) of all times over Pliant's."""
    for line in sorted(table["lines"], key=lambda line: line["name"]):
        if line["unit"] == "x":
            for runtime, values in line["values"].items():
                if runtime != "pliant":
                    yield line["name"], runtime, Spread(*values)


def loss_words(table):
    compared = list(ratios(table))
    if not compared:
        return "Nobody else was there to compare with."
    lost = [(name, runtime, ratio) for name, runtime, ratio in compared if ratio.median < 1]
    if not lost:
        return f"In none of {len(compared)} comparisons of time."
    rows = {}
    for name, runtime, ratio in lost:
        close = ", within the spread" if ratio.high >= 1 else ""
        reach = f"{ratio.low:.2f}–{ratio.high:.2f}{close}"
        words = f"{RUNTIMES[runtime].title} takes {ratio.median:.2f} of Pliant's time ({reach})"
        rows.setdefault(name, []).append(words)
    clear = sum(ratio.high < 1 for _, _, ratio in lost)
    head = f"In {len(lost)} of {len(compared)} comparisons of time, {clear} of them by more than the spread:"
    return "\n".join([head, "", *[f"- `{name}`: {'; '.join(words)}." for name, words in rows.items()]])


def agreement_words(first, second):
    """Whether two tables say the same: each median within the quartiles of the other."""
    known = {(name, runtime): ratio for name, runtime, ratio in ratios(first)}
    pairs = [
        (name, runtime, known[name, runtime], ratio)
        for name, runtime, ratio in ratios(second)
        if (name, runtime) in known
    ]
    apart = [pair for pair in pairs if not agree(*pair[2:])]
    changes = sorted(
        abs(second / first - 1) for first, second in ((one.median, two.median) for _, _, one, two in pairs)
    )
    if not pairs:
        return "The table was made twice, with nobody to compare."
    words = (
        f"The table was made twice; the second is shown. {len(pairs) - len(apart)} of {len(pairs)} medians lie within "
        f"the quartiles of the other table, and the other way round. Between the tables they moved by "
        f"{100 * changes[len(changes) // 2]:.1f} % at the median and {100 * changes[-1]:.1f} % at most."
    )
    if apart:
        places = [
            f"`{name}` with {RUNTIMES[runtime].title}, {numbers(one)} and {numbers(two)}"
            for name, runtime, one, two in apart
        ]
        words += f" Not so: {'; '.join(places)}."
    return words


def numbers(spread):
    return f"{spread.median:.2f} ({spread.low:.2f}–{spread.high:.2f})"
