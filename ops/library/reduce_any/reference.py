"""ReduceAny: y = whether an element is true, over some axes."""

import numpy as np


def reference(inputs, attributes):
    axes = tuple(attributes["axes"]) or None
    return {"y": np.any(inputs["x"], axis=axes, keepdims=attributes["keepdims"])}
