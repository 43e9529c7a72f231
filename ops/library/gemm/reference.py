"""Gemm in float64: y = alpha a b + beta c."""

import numpy as np


def reference(inputs, attributes):
    with np.errstate(invalid="ignore"):
        return {"y": attributes["alpha"] * (inputs["a"] @ inputs["b"]) + attributes["beta"] * inputs["c"]}


def scale(inputs, attributes):
    """The magnitudes of all that is added."""
    with np.errstate(invalid="ignore"):
        product = np.abs(attributes["alpha"]) * (np.abs(inputs["a"]) @ np.abs(inputs["b"]))
    return {"y": product + 4.0 * np.abs(attributes["beta"] * inputs["c"])}
