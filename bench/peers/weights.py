"""Weights that every runtime gets alike: a name and a shape always give the same numbers."""

import zlib

import numpy


def _random(name):
    return numpy.random.default_rng(zlib.crc32(name.encode()))


def matrix(name, *shape):
    """Random numbers, scaled so that a product with them keeps the size of what it is given (the first
    axis is summed over)."""
    return _random(name).standard_normal(shape, numpy.float32) / numpy.float32(shape[0] ** 0.5)


def table(name, *shape):
    """Rows to look up."""
    return _random(name).standard_normal(shape, numpy.float32)


def vector(name, size, around=0.0):
    """For biases and the scales of norms."""
    return (around + 0.1 * _random(name).standard_normal(size)).astype(numpy.float32)
