"""GeluTanh in float64: y = x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))."""

import math

import numpy as np


def reference(inputs, attributes):
    x = inputs["x"]
    inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)
    return {"y": 0.5 * x * (1.0 + np.tanh(inner))}
