"""Pow in float64: y = x1^x2."""

import numpy as np


def reference(inputs, attributes):
    x1 = np.where(inputs["x1"] == 0.0, 0.0, inputs["x1"])  # the sign of a zero does not count
    return {"y": np.power(x1, inputs["x2"])}


def scale(inputs, attributes):
    """The rounding of the logarithm grows to |x2 ln x1| units in the exponential."""
    y = np.abs(reference(inputs, attributes)["y"])
    size = y * (1.0 + np.abs(inputs["x2"] * np.log(np.abs(inputs["x1"]))))
    # Near the largest number units stay those of its binade. The logarithm of a subnormal number is infinite where it is
    # flushed, and then a subnormal exponent counts.
    small = [(np.abs(inputs[name]) < 2.0**-126) & (inputs[name] != 0.0) for name in ("x1", "x2")]
    open_ = (np.isfinite(y) & (size > 2.0**127)) | (small[0] & small[1])
    return {"y": np.where(open_, np.inf, np.where(np.isfinite(size), size, np.nan))}
