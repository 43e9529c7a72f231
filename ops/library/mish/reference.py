"""Mish in float64: y = x * tanh(ln(1 + e^x))."""

import numpy as np


def reference(inputs, attributes):
    x = inputs["x"]
    e = np.exp(np.minimum(x, 20.0))
    n = e * (e + 2.0)
    return {"y": np.maximum(x, -1000.0) * (n / (n + 2.0))}  # the limit at minus infinity is zero
