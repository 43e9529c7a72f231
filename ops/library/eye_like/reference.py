"""EyeLike: ones on a diagonal."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.eye(*inputs["x"].shape, k=attributes["k"])}
