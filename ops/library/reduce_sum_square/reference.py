"""ReduceSumSquare in float64: y = the sum of squares over some axes."""

import numpy as np


def reference(inputs, attributes):
    axes = tuple(attributes["axes"]) or None
    return {"y": np.sum(np.square(inputs["x"]), axis=axes, keepdims=attributes["keepdims"])}


def scale(inputs, attributes):
    """Sums that exceed float32 are unspecified, and so are those of squares that float32 does not hold."""
    x = inputs["x"]
    axes = tuple(attributes["axes"]) or None
    square = np.square(np.where(np.isfinite(x), x, 0.0))
    tiny = np.any((x != 0.0) & (square < 2.0**-126), axis=axes, keepdims=attributes["keepdims"])
    total = np.sum(square, axis=axes, keepdims=attributes["keepdims"])
    return {"y": np.where((total > 3e38) | (tiny & (total < 2.0**-100)), np.inf, total)}
