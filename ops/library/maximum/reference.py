"""Maximum in float64: y = the largest of x_0, x_1, ..."""

import functools

import numpy as np


def reference(inputs, attributes):
    return {"y": functools.reduce(np.maximum, inputs.values())}
