"""ReduceMean in float64: y = the mean over some axes."""

import numpy as np


def reference(inputs, attributes):
    axes = tuple(attributes["axes"]) or None
    return {"y": np.mean(inputs["x"], axis=axes, keepdims=attributes["keepdims"])}


def scale(inputs, attributes):
    """Sums cancel: errors are in units of the sum of magnitudes. Sums that exceed float32 are unspecified."""
    axes = tuple(attributes["axes"]) or None
    size = np.abs(np.where(np.isfinite(inputs["x"]), inputs["x"], 0.0))
    total = np.sum(size, axis=axes, keepdims=attributes["keepdims"])
    return {"y": np.where(total > 3e38, np.inf, np.mean(size, axis=axes, keepdims=attributes["keepdims"]))}
