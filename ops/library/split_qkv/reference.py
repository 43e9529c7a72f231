"""SplitQkv: thirds of the last dimension."""

import numpy as np


def reference(inputs, attributes):
    return dict(zip("qkv", np.split(inputs["x"], 3, axis=-1)))
