"""Gelu in float64: y = x / 2 * (1 + erf(x / sqrt(2)))."""

import math

import numpy as np


def reference(inputs, attributes):
    x = inputs["x"]
    return {"y": 0.5 * x * np.vectorize(math.erfc, otypes=[np.float64])(-x / math.sqrt(2.0))}


def onnx(attributes):
    return "Gelu", {"approximate": "none"}
