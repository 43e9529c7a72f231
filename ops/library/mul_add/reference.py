"""MulAdd in float64: y = x1 * x2 + x3."""

import numpy as np


def reference(inputs, attributes):
    return {"y": inputs["x1"] * inputs["x2"] + inputs["x3"]}


def scale(inputs, attributes):
    """The sum cancels: errors are in units of the larger summand. A product that exceeds float32 is unspecified."""
    product = np.abs(inputs["x1"] * inputs["x2"])
    return {"y": np.where(product > 3.4e38, np.inf, np.maximum(product, np.abs(inputs["x3"])))}
