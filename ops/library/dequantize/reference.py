"""Dequantize in float64: (x - zero_point) * scale."""

import numpy as np


def reference(inputs, attributes):
    with np.errstate(all="ignore"):
        return {"y": (inputs["x"].astype(np.float64) - inputs["zero_point"].reshape(())) * inputs["scale"].reshape(())}


def scale(inputs, attributes):
    """Where float32 does not hold both numbers: three roundings, each of 2^-24 of the sum of both at most. Where it does not
    hold the product of that sum with the scale either, the result is open."""
    x, zero = np.abs(inputs["x"].astype(np.float64)), np.abs(inputs["zero_point"].reshape(()).astype(np.float64))
    held = (x <= 2.0**24) & (zero <= 2.0**24)
    with np.errstate(all="ignore"):
        terms = np.where(held, 0.0, 3.0 * (x + zero)) * np.abs(inputs["scale"].reshape(()).astype(np.float64))
        return {"y": np.where(terms >= 2.0**128, np.inf, terms)}
