"""What a list of numbers comes to: its median, and its quartiles as the spread."""

import statistics
from typing import NamedTuple


class Spread(NamedTuple):
    median: float
    low: float
    """A quarter of the numbers are below."""
    high: float
    """A quarter of the numbers are above."""
    count: int


def spread_of(numbers):
    if len(numbers) == 1:
        return Spread(numbers[0], numbers[0], numbers[0], 1)
    low, _, high = statistics.quantiles(numbers, n=4, method="inclusive")
    return Spread(statistics.median(numbers), low, high, len(numbers))


def agree(one, other):
    """Each median lies within the quartiles of the other."""
    return other.low <= one.median <= other.high and one.low <= other.median <= one.high
