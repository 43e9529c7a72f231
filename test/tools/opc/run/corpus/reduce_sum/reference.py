import numpy as np


def reference(inputs, attributes):
    return {"y": np.sum(inputs["x"].astype(float), axis=-1)}
