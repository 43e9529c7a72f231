"""AddIntegers: y = x1 + x2, of integers."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.add(inputs["x1"], inputs["x2"])}
