"""RmsNorm in float64: y = x / sqrt(mean of x^2 + epsilon) * gamma, over the last dimension."""

import numpy as np


def reference(inputs, attributes):
    x = inputs["x"]
    mean = np.mean(x * x, axis=-1, keepdims=True)
    return {"y": x / np.sqrt(mean + attributes["epsilon"]) * inputs["gamma"]}


def scale(inputs, attributes):
    """Rows whose squares exceed float32 are unspecified. x / deviation has float32's smallest step, which gamma magnifies."""
    x = inputs["x"]
    y = reference(inputs, attributes)["y"]
    return {"y": np.where(np.sum(x * x, axis=-1, keepdims=True) > 1e38, np.inf, np.maximum(np.abs(y), np.abs(inputs["gamma"]) * 2.0**-126))}
