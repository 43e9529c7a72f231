"""LogSoftmax in float64: y = x - max x - ln of the sum of e^(x - max x), along an axis."""

import numpy as np


def reference(inputs, attributes):
    x, axis = inputs["x"], attributes["axis"]
    below = x - np.max(x, axis=axis, keepdims=True)
    return {"y": below - np.log(np.sum(np.exp(below), axis=axis, keepdims=True))}


def scale(inputs, attributes):
    """The differences cancel, and the sum has the errors of its exponentials, which weigh no more than 1."""
    x, axis = inputs["x"], attributes["axis"]
    below = x - np.max(x, axis=axis, keepdims=True)
    return {"y": 1.0 + np.abs(below) + np.log(np.sum(np.exp(below), axis=axis, keepdims=True))}
