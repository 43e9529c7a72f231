"""SubIntegers: y = The difference of two tensors of integers."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.subtract(inputs["x1"], inputs["x2"])}
