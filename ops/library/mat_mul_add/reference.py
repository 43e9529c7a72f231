"""MatMulAdd in float64: y = a b + bias + x."""

import numpy as np


def reference(inputs, attributes):
    with np.errstate(invalid="ignore"):
        return {"y": inputs["a"] @ inputs["b"] + inputs["bias"] + inputs["x"]}


def scale(inputs, attributes):
    """The magnitudes of all that is added."""
    with np.errstate(invalid="ignore"):
        product = np.abs(inputs["a"]) @ np.abs(inputs["b"])
    return {"y": product + 4.0 * (np.abs(inputs["bias"]) + np.abs(inputs["x"]))}
