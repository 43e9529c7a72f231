"""CumSumWide: the sums of all elements up to each one along an axis."""

import numpy as np


def running(x, attributes):
    axis = attributes["axis"]
    x = np.flip(x, axis) if attributes["reverse"] else x
    sums = np.cumsum(x, axis=axis, dtype=x.dtype)
    if attributes["exclusive"] and x.shape[axis]:
        sums = np.roll(sums, 1, axis=axis)
        np.moveaxis(sums, axis, 0)[0] = 0
    return np.flip(sums, axis) if attributes["reverse"] else sums


def reference(inputs, attributes):
    return {"y": running(inputs["x"], attributes)}


def scale(inputs, attributes):
    """Sums cancel: errors are in units of the sum of magnitudes. Sums that exceed float64 are unspecified."""
    size = np.abs(np.where(np.isfinite(inputs["x"]), inputs["x"], 0.0))
    total = running(size, attributes)
    return {"y": np.where(total > 1e308, np.inf, total)}
