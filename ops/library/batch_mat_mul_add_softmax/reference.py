"""BatchMatMulAddSoftmax in float64: y = softmax(scale a b + bias) over the last dimension."""

import numpy as np


def scores(a, b, bias, factor):
    with np.errstate(invalid="ignore"):
        return a @ b * factor + bias


def reference(inputs, attributes):
    with np.errstate(invalid="ignore"):
        x = scores(inputs["a"], inputs["b"], inputs["bias"], attributes["scale"])
        power = np.exp(x - np.max(x, axis=-1, keepdims=True))
        return {"y": power / np.sum(power, axis=-1, keepdims=True)}


def scale(inputs, attributes):
    """A score is off by a share of all that is added to it, and so is its exponential, and the sum of its row by those that
    the sum consists of. What is masked is no part of it.

    Rows are unspecified whose products exceed float32, or in which such errors may decide which score is the largest."""
    factor, bias = attributes["scale"], inputs["bias"]
    with np.errstate(all="ignore"):
        x = scores(inputs["a"], inputs["b"], bias, factor)
        products = scores(np.abs(inputs["a"]), np.abs(inputs["b"]), 0.0, factor)
        added = products + np.abs(bias)
        below = x - np.max(x, axis=-1, keepdims=True)
        power = np.exp(below)
        error = added * 2.0**-20
        most = np.max(np.where(power == 1.0, error, 0.0), axis=-1, keepdims=True)
        unsure = np.any((below + error + most > -104.0) & (error + most > 0.5), axis=-1, keepdims=True)
        added = np.where(power == 0.0, 0.0, added)
        y = power / np.sum(power, axis=-1, keepdims=True)
        units = y * (1.0 + np.where(power == 0.0, 0.0, np.abs(below)) + 2.0 * added)
        units = units + 2.0 * y * np.sum(y * added, axis=-1, keepdims=True)
        exceeds = np.max(np.maximum(products, products / factor), axis=-1, keepdims=True) > 1e38
        return {"y": np.where(unsure | exceeds, np.inf, units)}
