"""BiasGelu in float64: y = Gelu(x + bias), the bias one number a column."""

import math

import numpy as np


def reference(inputs, attributes):
    x = inputs["x"] + inputs["bias"]
    return {"y": 0.5 * x * np.vectorize(math.erfc, otypes=[np.float64])(-x / math.sqrt(2.0))}


def scale(inputs, attributes):
    """The sum of row and bias cancels. Where it leaves float32 the formula gives NaN and its limit is zero: either."""
    size = np.abs(inputs["x"]) + np.abs(inputs["bias"])
    return {"y": np.where(np.abs(inputs["x"] + inputs["bias"]) > 3.4e38, np.inf, size)}
