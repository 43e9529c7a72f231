"""Fmod in float64: y = x1 - trunc(x1 / x2) * x2."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.fmod(inputs["x1"], inputs["x2"])}


def scale(inputs, attributes):
    """From 2^22 on the quotient is unspecified: the chip has its digits in float32, and gives NaN."""
    beyond = np.abs(inputs["x1"]) / np.abs(inputs["x2"]) >= 2.0**22
    return {"y": np.where(beyond & np.isfinite(inputs["x1"]) & (inputs["x2"] != 0.0), np.inf, 0.0)}
