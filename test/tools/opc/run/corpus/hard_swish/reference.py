import numpy as np


def reference(inputs, attributes):
    x = inputs["x"].astype(float)
    return {"y": x * np.clip(x + 3, 0, 6) / 6}
