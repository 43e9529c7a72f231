"""ArgMax in float64: y = the first position of the largest element of a row, or of a NaN."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.argmax(inputs["x"], axis=-1, keepdims=True)}
