"""MatMulRelu in float64: y = max(a b + bias, 0)."""

import numpy as np

FLOAT32_MAX = (2.0 - 2.0**-23) * 2.0**127


def pre(inputs):
    with np.errstate(invalid="ignore"):
        return inputs["a"] @ inputs["b"] + inputs["bias"]


def reference(inputs, attributes):
    return {"y": np.maximum(pre(inputs), 0.0)}


def scale(inputs, attributes):
    """The magnitudes of all that is added.

    Infinite where the negative terms alone exceed float32: a partial sum may then be -infinity or NaN, for which the
    function has another value than for the sum.
    """
    with np.errstate(invalid="ignore"):
        sums = np.abs(inputs["a"]) @ np.abs(inputs["b"]) + np.abs(inputs["bias"])
        negative = (sums - pre(inputs)) / 2
        return {"y": np.where(negative > FLOAT32_MAX, np.inf, sums)}
