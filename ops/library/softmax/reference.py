"""Softmax in float64: y = e^(x - max x) / the sum of e^(x - max x), over the last dimension."""

import numpy as np


def reference(inputs, attributes):
    x = inputs["x"]
    power = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return {"y": power / np.sum(power, axis=-1, keepdims=True)}


def scale(inputs, attributes):
    """The rounding of x - max x grows to |x - max x| units in its exponential."""
    x = inputs["x"]
    below = x - np.max(x, axis=-1, keepdims=True)
    return {"y": np.exp(below) * (1.0 + np.abs(below)) / np.sum(np.exp(below), axis=-1, keepdims=True)}
