"""MatMulRelu in float64: y = max(a b + bias, 0)."""

import numpy as np


def pre(inputs):
    with np.errstate(invalid="ignore"):
        return inputs["a"] @ inputs["b"] + inputs["bias"]


def reference(inputs, attributes):
    return {"y": np.maximum(pre(inputs), 0.0)}


def scale(inputs, attributes):
    """The magnitudes of all that is added."""
    with np.errstate(invalid="ignore"):
        return {"y": (np.abs(inputs["a"]) @ np.abs(inputs["b"]) + np.abs(inputs["bias"]))}
