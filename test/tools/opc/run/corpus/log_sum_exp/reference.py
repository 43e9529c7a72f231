import numpy as np


def reference(inputs, attributes):
    x = inputs["x"].astype(np.float64)
    largest = x.max(axis=0)
    return {"y": (np.log(np.exp(x - largest).sum(axis=0)) + largest).astype(np.float32)}
