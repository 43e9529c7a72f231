"""ThresholdedRelu in float64: y = x where x is above alpha, else 0."""

import numpy as np


def reference(inputs, attributes):
    return {"y": np.where(inputs["x"] > attributes["alpha"], inputs["x"], 0.0)}
