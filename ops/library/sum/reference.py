"""Sum in float64: y = x_0 + x_1 + ..."""

import functools

import numpy as np


def reference(inputs, attributes):
    return {"y": functools.reduce(np.add, inputs.values())}


def scale(inputs, attributes):
    """The sum of the magnitudes: summands of opposite signs cancel."""
    return {"y": functools.reduce(np.add, map(np.abs, inputs.values()))}
