"""Slice: what lies from `start` to `end`."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.take(inputs["x"], range(attributes["start"], attributes["end"]), axis=attributes["axis"])}
