"""Floor in float64: y = the largest whole number that is not above x."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.floor(inputs["x"])}
