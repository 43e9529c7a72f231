"""Softsign in float64: y = x / (1 + |x|)."""

import numpy as np


def reference(inputs, attributes):
    with np.errstate(invalid="ignore"):
        return {"y": inputs["x"] / (1 + np.abs(inputs["x"]))}
