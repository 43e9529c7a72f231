"""ReduceL1 in float64: y = the sum of magnitudes over some axes."""

import numpy as np


def reference(inputs, attributes):
    axes = tuple(attributes["axes"]) or None
    return {"y": np.sum(np.abs(inputs["x"]), axis=axes, keepdims=attributes["keepdims"])}


def scale(inputs, attributes):
    """Sums that exceed float32 are unspecified."""
    axes = tuple(attributes["axes"]) or None
    size = np.abs(np.where(np.isfinite(inputs["x"]), inputs["x"], 0.0))
    total = np.sum(size, axis=axes, keepdims=attributes["keepdims"])
    return {"y": np.where(total > 3e38, np.inf, total)}
