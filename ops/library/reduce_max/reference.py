"""ReduceMax in float64: y = the largest over some axes."""

import numpy as np


def reference(inputs, attributes):
    axes = tuple(attributes["axes"]) or None
    return {"y": np.max(inputs["x"], axis=axes, keepdims=attributes["keepdims"])}
