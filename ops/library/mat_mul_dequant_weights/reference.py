"""MatMulDequantWeights in float64: y = a b^T * scale + bias."""

import numpy as np


def reference(inputs, attributes):
    with np.errstate(all="ignore"):
        return {"y": inputs["a"] @ inputs["b"].astype(np.float64).T * inputs["scale"] + inputs["bias"]}


def scale(inputs, attributes):
    """The magnitudes of all that is added. Open where the sum exceeds float32 before it is scaled."""
    with np.errstate(all="ignore"):
        sums = np.abs(inputs["a"]) @ np.abs(inputs["b"].astype(np.float64)).T
        terms = sums * np.abs(inputs["scale"]) + np.abs(inputs["bias"])
        return {"y": np.where(sums > 3e38, np.inf, terms)}


def inputs(arrays, random):
    """Scales are positive, such that results are of the size of activations."""
    depth = max(arrays["a"].shape[-1], 1)
    return {**arrays, "scale": 2.0 ** random.uniform(-3, 0, arrays["scale"].shape) / (2.0**7 * depth**0.5)}
