"""Dequantize in float64: (x - zero_point) * scale."""

import numpy as np


def spread(array, x, attributes):
    """An element of each place along the axis beside x."""
    return array.reshape([-1 if i == attributes["axis"] % x.ndim else 1 for i in range(x.ndim)])


def reference(inputs, attributes):
    with np.errstate(all="ignore"):
        return {"y": (inputs["x"].astype(np.float64) - spread(inputs["zero_point"], inputs["x"], attributes)) * spread(inputs["scale"], inputs["x"], attributes)}


def scale(inputs, attributes):
    """Where float32 does not hold both numbers: three roundings, each of 2^-24 of the sum of both at most. Where it does not
    hold the product of that sum with the scale either, the result is open."""
    x, zero = np.abs(inputs["x"].astype(np.float64)), np.abs(spread(inputs["zero_point"], inputs["x"], attributes).astype(np.float64))
    held = (x <= 2.0**24) & (zero <= 2.0**24)
    with np.errstate(all="ignore"):
        terms = np.where(held, 0.0, 3.0 * (x + zero)) * np.abs(spread(inputs["scale"], inputs["x"], attributes).astype(np.float64))
        return {"y": np.where(terms >= 2.0**128, np.inf, terms)}
