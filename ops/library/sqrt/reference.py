"""Sqrt in float64: y = the square root of x; NaN below zero."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.sqrt(inputs["x"])}
