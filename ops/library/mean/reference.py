"""Mean in float64: y = (x_0 + x_1 + ...) / n."""

import functools

import numpy as np


def reference(inputs, attributes):
    return {"y": functools.reduce(np.add, (x / attributes["n"] for x in inputs.values()))}


def scale(inputs, attributes):
    """The sum of the magnitudes of the parts: parts of opposite signs cancel."""
    return {"y": functools.reduce(np.add, (np.abs(x) / attributes["n"] for x in inputs.values()))}
