"""MatMulAddLayerNorm in float64: y = LayerNorm(a b + bias + x), over the last dimension."""

import numpy as np


def parts(inputs, attributes):
    """The differences from the mean of each row, and the deviation of the row."""
    with np.errstate(invalid="ignore"):
        h = inputs["a"] @ inputs["b"] + inputs["bias"] + inputs["x"]
        centred = h - np.mean(h, axis=-1, keepdims=True)
        variance = np.mean(centred * centred, axis=-1, keepdims=True)
        return centred, np.sqrt(variance + attributes["epsilon"])


def reference(inputs, attributes):
    centred, deviation = parts(inputs, attributes)
    with np.errstate(invalid="ignore"):
        return {"y": centred / deviation * inputs["gamma"] + inputs["beta"]}


def scale(inputs, attributes):
    """Differences from the mean cancel; rows whose squares exceed float32 are unspecified."""
    centred, deviation = parts(inputs, attributes)
    with np.errstate(invalid="ignore"):
        size = np.abs(inputs["a"]) @ np.abs(inputs["b"]) + np.abs(inputs["bias"]) + np.abs(inputs["x"])
        size = size + np.mean(size, axis=-1, keepdims=True)
        # An error of the mean shifts every difference by its own size and the deviation in proportion to the differences.
        share = 1.0 + np.max(size, axis=-1, keepdims=True) / deviation
        units = (size + np.abs(centred) * share) / deviation * np.abs(inputs["gamma"]) + np.abs(inputs["beta"])
        return {"y": np.where(np.sum(size * size, axis=-1, keepdims=True) > 1e38, np.inf, units)}
