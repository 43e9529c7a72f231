"""Div in float64: y = x1 / x2."""

import numpy as np


def reference(inputs, attributes):
    return {"y": inputs["x1"] / inputs["x2"]}
