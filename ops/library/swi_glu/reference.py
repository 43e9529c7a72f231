"""SwiGlu: gate * sigmoid(gate) * value, gate and value being the halves of the last dimension."""

import numpy as np


def reference(inputs, attributes):
    gate, value = np.split(inputs["x"], 2, axis=-1)
    with np.errstate(over="ignore", invalid="ignore"):
        return {"y": gate / (1.0 + np.exp(-gate)) * value}


def scale(inputs, attributes):
    """A swish that float32 cannot hold as a normal number may be zero: 2^-126, which is an ulp of 2^-103."""
    gate, value = np.split(inputs["x"], 2, axis=-1)
    with np.errstate(over="ignore", invalid="ignore"):
        return {"y": (np.abs(gate / (1.0 + np.exp(-gate))) + 2.0**-103) * np.abs(value)}
