"""MatMulBias in float64: y = a b + bias."""

import numpy as np


def reference(inputs, attributes):
    with np.errstate(invalid="ignore"):
        return {"y": inputs["a"] @ inputs["b"] + inputs["bias"]}


def scale(inputs, attributes):
    """The magnitudes of all that is added."""
    with np.errstate(invalid="ignore"):
        return {"y": np.abs(inputs["a"]) @ np.abs(inputs["b"]) + np.abs(inputs["bias"])}
