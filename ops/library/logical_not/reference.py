"""Not in float64: y = whether x is false."""

import numpy as np


def reference(inputs, attributes):
    return {"y": inputs["x"] == 0}
