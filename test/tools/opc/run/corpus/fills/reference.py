import numpy as np


def reference(inputs, attributes):
    return {"y": np.full_like(inputs["x"], attributes["value"])}
