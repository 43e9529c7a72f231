import numpy as np


def reference(inputs, attributes):
    return {"y": np.sign(inputs["x"])}
