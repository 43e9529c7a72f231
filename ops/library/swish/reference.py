"""Swish in float64: y = x / (1 + exp(-beta * x)).

The formula is evaluated literally, so the results for infinities follow the contract's boundary rules.
"""

import numpy as np


def reference(inputs, attributes):
    x = inputs["x"]
    with np.errstate(over="ignore", invalid="ignore"):
        return {"y": x / (1.0 + np.exp(-attributes["beta"] * x))}
