"""GreaterEqualIntegers: y = Whether x1 is at least x2, of integers."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.greater_equal(inputs["x1"], inputs["x2"])}
