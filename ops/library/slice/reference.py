"""Slice: channels from `start` on."""

import numpy as np


def reference(inputs, attributes):
    start, length = attributes["start"], attributes["length"]
    return {"y": inputs["x"][:, start : start + length]}


def onnx(attributes):
    start, length = attributes["start"], attributes["length"]
    numbers = {
        "starts": np.array([start], np.int64),
        "ends": np.array([start + length], np.int64),
        "axes": np.array([1], np.int64),
    }
    return "Slice", {}, ["x", *numbers.values()]
