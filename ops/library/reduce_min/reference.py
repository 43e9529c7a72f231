"""ReduceMin in float64: y = the smallest over some axes."""

import numpy as np


def reference(inputs, attributes):
    axes = tuple(attributes["axes"]) or None
    return {"y": np.min(inputs["x"], axis=axes, keepdims=attributes["keepdims"])}
