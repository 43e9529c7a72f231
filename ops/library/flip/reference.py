"""Flip: the elements along an axis in reverse order."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.flip(inputs["x"], axis=attributes["axis"])}
