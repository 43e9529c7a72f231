"""ResizeNearest2d: the nearest element of the operand for each place; beyond the ends the last one."""

import numpy as np


def places(count, attributes, axis):
    """Where each place of the result is in the operand, in float32 as ONNX Runtime has it."""
    at = (np.arange(count, dtype=np.single) + np.single(attributes["shift"])) * np.single(attributes["multiply"][axis])
    return at / np.single(attributes["divide"][axis]) + np.single(attributes["offset"])


def reference(inputs, attributes):
    y = inputs["x"]
    for axis, count in enumerate(attributes["size"]):
        sign, nudge = np.single(attributes["sign"]), np.single(attributes["nudge"])
        at = sign * np.floor(sign * places(count, attributes, axis) + nudge)
        y = np.take(y, np.clip(at.astype(np.int64), 0, y.shape[2 + axis] - 1), axis=2 + axis)
    return {"y": y}

