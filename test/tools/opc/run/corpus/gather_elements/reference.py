import numpy as np


def reference(inputs, attributes):
    return {"y": np.take_along_axis(inputs["x"], inputs["index"].astype(int), axis=-1)}
