"""GlobalL2Pool in float64: the square root of the sum of squares of each plane."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.sqrt(np.sum(np.square(inputs["x"]), axis=(2, 3), keepdims=True))}


def scale(inputs, attributes):
    """Where the sum exceeds float32, or squares lie below it, the result is unspecified."""
    x = inputs["x"]
    square = np.square(np.where(np.isfinite(x), x, 0.0))
    tiny = np.any((x != 0.0) & (square < 2.0**-126), axis=(2, 3), keepdims=True)
    total = np.sum(square, axis=(2, 3), keepdims=True)
    return {"y": np.where((total > 3e38) | (tiny & (total < 2.0**-100)), np.inf, np.sqrt(total))}
