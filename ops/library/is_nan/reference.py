"""IsNaN in float64: y = whether x is NaN."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.isnan(inputs["x"])}
