import numpy as np


def reference(inputs, attributes):
    x = inputs["x"]
    return {"y": np.maximum(x[..., 0::2], x[..., 1::2])}
