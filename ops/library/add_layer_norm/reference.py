"""AddLayerNorm in float64: y = LayerNorm(x1 + x2), over the last dimension."""

import numpy as np


def reference(inputs, attributes):
    x = inputs["x1"] + inputs["x2"]
    centred = x - np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(centred * centred, axis=-1, keepdims=True)
    y = centred / np.sqrt(variance + attributes["epsilon"]) * inputs["gamma"]
    return {"y": y + inputs["beta"] if "beta" in inputs else y}


def scale(inputs, attributes):
    """Differences from the mean cancel; rows whose squares exceed float32 are unspecified."""
    x = inputs["x1"] + inputs["x2"]
    size = np.abs(inputs["x1"]) + np.abs(inputs["x2"])
    size = size + np.mean(size, axis=-1, keepdims=True)
    centred = x - np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(centred * centred, axis=-1, keepdims=True)
    deviation = np.sqrt(variance + attributes["epsilon"])
    # An error of the mean shifts every difference by its own size and the deviation in proportion to the differences.
    share = 1.0 + np.max(size, axis=-1, keepdims=True) / deviation
    scale = (size + np.abs(centred) * share) / deviation * np.abs(inputs["gamma"])
    if "beta" in inputs:
        scale = scale + np.abs(inputs["beta"])
    return {"y": np.where(np.sum(size * size, axis=-1, keepdims=True) > 1e38, np.inf, scale)}
