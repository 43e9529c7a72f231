"""ArgMax in float64: y = the first or last position of the largest element along an axis, or of a NaN."""

import numpy as np


def reference(inputs, attributes):
    x, axis = inputs["x"], attributes["axis"]
    if not attributes["select_last_index"]:
        return {"y": np.argmax(x, axis=axis, keepdims=True)}
    return {"y": x.shape[axis] - 1 - np.argmax(np.flip(x, axis), axis=axis, keepdims=True)}
