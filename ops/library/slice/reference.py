"""Slice: channels from `start` on."""

import numpy as np


def reference(inputs, attributes):
    start, length = attributes["start"], attributes["length"]
    return {"y": inputs["x"][:, start : start + length]}


def onnx(attributes):
    start, length = attributes["start"], attributes["length"]
    return "Slice", {}, ["x", [start], [start + length], [1]]
