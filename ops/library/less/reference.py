"""Less in float64: y = whether x1 is less than x2."""

import numpy as np


def reference(inputs, attributes):
    return {"y": inputs["x1"] < inputs["x2"]}
