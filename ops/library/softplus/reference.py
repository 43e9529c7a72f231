"""Softplus in float64: y = ln(1 + e^x)."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.maximum(inputs["x"], 0.0) + np.log1p(np.exp(-np.abs(inputs["x"])))}
