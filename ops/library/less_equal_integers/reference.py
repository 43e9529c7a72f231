"""LessEqualIntegers: y = Whether x1 is at most x2, of integers."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.less_equal(inputs["x1"], inputs["x2"])}
