"""MatMulSoftmax in float64: y = softmax(scale q k^T) over the last dimension."""

import numpy as np


def scores(q, k, factor):
    with np.errstate(invalid="ignore"):
        return q @ np.swapaxes(k, -1, -2) * factor


def reference(inputs, attributes):
    with np.errstate(invalid="ignore"):
        x = scores(inputs["q"], inputs["k"], attributes["scale"])
        power = np.exp(x - np.max(x, axis=-1, keepdims=True))
        return {"y": power / np.sum(power, axis=-1, keepdims=True)}


def scale(inputs, attributes):
    """An error of a score is one of its exponential, and of the sum: that of x - max x, and those of the products added.

    Rows whose products exceed float32 are unspecified."""
    factor = attributes["scale"]
    with np.errstate(invalid="ignore"):
        x = scores(inputs["q"], inputs["k"], factor)
        added = np.max(scores(np.abs(inputs["q"]), np.abs(inputs["k"]), factor), axis=-1, keepdims=True)
        below = x - np.max(x, axis=-1, keepdims=True)
        power = np.exp(below)
        units = power * (1.0 + np.abs(below) + 2.0 * added) / np.sum(power, axis=-1, keepdims=True)
        return {"y": np.where(np.maximum(added, added / factor) > 1e38, np.inf, units)}
