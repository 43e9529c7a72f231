"""ReduceAll: y = whether all elements are true, over some axes."""

import numpy as np


def reference(inputs, attributes):
    axes = tuple(attributes["axes"]) or None
    return {"y": np.all(inputs["x"], axis=axes, keepdims=attributes["keepdims"])}
