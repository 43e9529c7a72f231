"""Dequantize in float64: (x - zero_point) * scale."""

import numpy as np


def spread(array, x):
    """An element of each channel beside x."""
    return array.reshape([1, -1] + [1] * (x.ndim - 2))


def reference(inputs, attributes):
    with np.errstate(all="ignore"):
        return {"y": (inputs["x"].astype(np.float64) - spread(inputs["zero_point"], inputs["x"])) * spread(inputs["scale"], inputs["x"])}
