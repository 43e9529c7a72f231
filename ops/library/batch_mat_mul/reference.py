"""BatchMatMul in float64: y = a b."""

import numpy as np


def reference(inputs, attributes):
    with np.errstate(invalid="ignore"):
        return {"y": inputs["a"] @ inputs["b"]}


def scale(inputs, attributes):
    """The magnitudes of all products that are added."""
    with np.errstate(invalid="ignore"):
        return {"y": np.abs(inputs["a"]) @ np.abs(inputs["b"])}
