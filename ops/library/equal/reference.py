"""Equal in float64: y = Whether x1 equals x2."""

import numpy as np


def reference(inputs, attributes):
    return {"y": inputs["x1"] == inputs["x2"]}
