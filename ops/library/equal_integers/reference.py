"""EqualIntegers: y = Whether x1 equals x2, of integers and truth values."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.equal(inputs["x1"], inputs["x2"])}
