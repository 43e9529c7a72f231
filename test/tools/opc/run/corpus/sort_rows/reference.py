import numpy as np


def reference(inputs, attributes):
    return {"y": np.sort(inputs["x"], axis=-1)}
