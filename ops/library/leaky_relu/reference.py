"""LeakyRelu in float64: y = x where x is not negative, else alpha * x."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.where(inputs["x"] >= 0.0, inputs["x"], attributes["alpha"] * inputs["x"])}
