"""LessIntegers: y = Whether x1 is less than x2, of integers."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.less(inputs["x1"], inputs["x2"])}
