"""AddMatmul in float64: y = x1 @ x2 + bias."""

import numpy as np


def reference(inputs, attributes):
    return {"y": inputs["x1"] @ inputs["x2"] + inputs["bias"]}


def scale(inputs, attributes):
    """What a rounding error is measured by: the sum of the magnitudes that an element adds up."""
    return {"y": np.abs(inputs["x1"]) @ np.abs(inputs["x2"]) + np.abs(inputs["bias"])}
