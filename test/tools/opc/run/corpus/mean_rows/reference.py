import numpy as np


def reference(inputs, attributes):
    return {"y": np.mean(inputs["x"].astype(float), axis=0)}
