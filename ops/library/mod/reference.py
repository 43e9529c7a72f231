"""Mod in float64: y = x1 - floor(x1 / x2) * x2."""

import numpy as np


def inputs(arrays, random):
    """Without integers divided by zero, whose remainder is unspecified."""
    if arrays["x2"].dtype.kind in "iu":
        arrays["x2"] = np.where(arrays["x2"] == 0, 1, arrays["x2"]).astype(arrays["x2"].dtype)
    return arrays


def reference(inputs, attributes):
    return {"y": np.mod(inputs["x1"], inputs["x2"])}


def scale(inputs, attributes):
    """From 2^22 on the quotient is unspecified: the chip has its digits in float32, and gives NaN."""
    beyond = np.abs(inputs["x1"]) / np.abs(inputs["x2"]) >= 2.0**22
    return {"y": np.where(beyond & np.isfinite(inputs["x1"]) & (inputs["x2"] != 0.0), np.inf, 0.0)}
