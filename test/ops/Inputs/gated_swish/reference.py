"""GatedSwish in float64: y = x / (1 + exp(-gate * x))."""

import numpy as np


def reference(inputs, attributes):
    x, gate = inputs["x"], inputs["gate"]
    with np.errstate(over="ignore", invalid="ignore"):
        return {"y": x / (1.0 + np.exp(-gate * x))}
