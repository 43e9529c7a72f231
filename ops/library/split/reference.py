"""Split: the first channels, as many as the attribute says, and the others."""

import numpy as np


def reference(inputs, attributes):
    first, last = np.split(inputs["x"], [attributes["at"]], axis=1)
    return {"first": first, "last": last}
