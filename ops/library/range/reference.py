"""Range: numbers at equal distances."""

import numpy as np


def reference(inputs, attributes):
    return {"y": inputs["start"] + np.arange(attributes["count"]) * inputs["delta"]}


def scale(inputs, attributes):
    distances = np.arange(attributes["count"]) * inputs["delta"]
    return {"y": np.maximum(abs(inputs["start"]), abs(distances))}
