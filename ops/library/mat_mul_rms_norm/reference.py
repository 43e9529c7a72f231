"""MatMulRmsNorm in float64: y = h / sqrt(mean of h^2 + epsilon) * gamma, over the last dimension of h = a b + x."""

import numpy as np


def parts(inputs, attributes):
    with np.errstate(invalid="ignore"):
        h = inputs["a"] @ inputs["b"] + inputs["x"]
        return h, np.sqrt(np.mean(h * h, axis=-1, keepdims=True) + attributes["epsilon"])


def reference(inputs, attributes):
    h, root = parts(inputs, attributes)
    with np.errstate(invalid="ignore"):
        return {"y": h / root * inputs["gamma"]}


def scale(inputs, attributes):
    """Errors of h in units of what is added to it: of the element, and of all elements of its row through the mean.

    Rows whose squares exceed float32 are unspecified."""
    h, root = parts(inputs, attributes)
    with np.errstate(invalid="ignore"):
        added = np.abs(inputs["a"]) @ np.abs(inputs["b"]) + np.abs(inputs["x"])
        shared = np.mean(np.abs(h) * added, axis=-1, keepdims=True) / (root * root)
        units = (np.abs(h) / root + added / root + np.abs(h) / root * shared + 2.0**-126) * np.abs(inputs["gamma"])
        return {"y": np.where(np.sum(h * h, axis=-1, keepdims=True) > 1e38, np.inf, units)}
