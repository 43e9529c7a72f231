"""SelectIntegers: y = x1 where condition is true, else x2."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.where(inputs["condition"] != 0, inputs["x1"], inputs["x2"])}
