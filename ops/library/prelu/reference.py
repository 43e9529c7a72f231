"""PRelu in float64: y = x where x is not negative, else slope * x."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.where(inputs["x"] >= 0.0, inputs["x"], inputs["slope"] * inputs["x"])}
