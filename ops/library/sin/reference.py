"""Sin in float64: y = sin x."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.sin(inputs["x"])}


def scale(inputs, attributes):
    """Angles beyond 2^17 are unspecified: the chip reduces them in float32, which has no digit of the result left."""
    beyond = np.isfinite(inputs["x"]) & (np.abs(inputs["x"]) > 2.0**17)
    return {"y": np.where(beyond, np.inf, 0.0)}
