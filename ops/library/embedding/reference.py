"""Embedding in float64: rows of the table, times the factor."""

import numpy as np


def reference(inputs, attributes):
    table, indices = inputs["table"], inputs["indices"]
    with np.errstate(invalid="ignore"):
        return {"y": table[indices.astype(np.int64)] * attributes["scale"]}


def inputs(arrays, random):
    """All indices are places, the first and the last one among them."""
    most = arrays["table"].shape[0]
    indices = random.integers(-1, most + 1, arrays["indices"].shape).clip(0, most - 1)
    return {**arrays, "indices": np.asarray(indices, arrays["indices"].dtype)}
