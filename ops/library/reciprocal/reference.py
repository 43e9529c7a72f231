"""Reciprocal in float64: y = 1 / x."""

import numpy as np


def reference(inputs, attributes):
    return {"y": 1.0 / inputs["x"]}
