import numpy as np


def reference(inputs, attributes):
    x = inputs["x"]
    return {"values": np.max(x, axis=-1), "indices": np.argmax(x, axis=-1)}
