"""Embedding in float64: rows of the table, times the factor."""

import numpy as np


def reference(inputs, attributes):
    table, indices = inputs["table"], inputs["indices"]
    with np.errstate(invalid="ignore"):
        return {"y": table[indices.astype(np.int64)] * attributes["scale"]}
