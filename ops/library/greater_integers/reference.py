"""GreaterIntegers: y = Whether x1 is greater than x2, of integers."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.greater(inputs["x1"], inputs["x2"])}
