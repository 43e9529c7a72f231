"""MatMulDequantRows in float64: y = a b^T * row_scale * scale + bias."""

import numpy as np


def scaled(inputs):
    sums = (inputs["a"].astype(np.int64) @ inputs["b"].astype(np.int64).T).astype(np.float64)
    return sums * inputs["row_scale"][..., None] * inputs["scale"]


def reference(inputs, attributes):
    with np.errstate(all="ignore"):
        return {"y": scaled(inputs) + inputs["bias"]}


def scale(inputs, attributes):
    """The magnitudes of what is added."""
    with np.errstate(all="ignore"):
        return {"y": np.abs(scaled(inputs)) + np.abs(inputs["bias"])}


def inputs(arrays, random):
    """Scales are positive, such that results are of the size of activations."""
    depth = max(arrays["a"].shape[-1], 1)
    size = arrays["scale"].shape
    found = {**arrays, "scale": 2.0 ** random.uniform(-3, 0, size) / (2.0**12 * depth**0.5)}
    found["row_scale"] = 2.0 ** random.uniform(-3, 0, arrays["row_scale"].shape)
    return found
