"""Split: the first part, as long as the attribute says, and the last."""

import numpy as np


def reference(inputs, attributes):
    first, last = np.split(inputs["x"], [attributes["front"]], axis=attributes["axis"])
    return {"first": first, "last": last}
