"""Sign in float64: y = -1, 0 or 1, as x is negative, zero or positive."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.sign(inputs["x"])}
