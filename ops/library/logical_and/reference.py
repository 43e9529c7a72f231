"""And in float64: y = whether x1 and x2 are true."""

import numpy as np


def reference(inputs, attributes):
    return {"y": (inputs["x1"] != 0) & (inputs["x2"] != 0)}
