import numpy as np


def reference(inputs, attributes):
    x = inputs["x"]
    low, high = attributes.get("low", -1.0), attributes.get("high", 1.0)
    return {"y": np.where((x > np.float32(low)) & (x < np.float32(high)), x, np.float32(0))}
