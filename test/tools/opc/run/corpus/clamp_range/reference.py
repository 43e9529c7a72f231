import numpy as np


def reference(inputs, attributes):
    x = inputs["x"]
    low, high = attributes.get("min_value", -1.0), attributes.get("max_value", 1.0)
    return {"y": np.clip(x, x.dtype.type(low), x.dtype.type(high))}
