"""L2Normalize in float64: y = x / max(the root of the sum of x^2, epsilon), over the last dimension."""

import numpy as np


def reference(inputs, attributes):
    x = inputs["x"]
    length = np.sqrt(np.sum(x * x, axis=-1, keepdims=True))
    return {"y": x / np.maximum(length, attributes["epsilon"])}


def scale(inputs, attributes):
    """Rows whose squares float32 cannot add are unspecified; it has few digits of squares below its normal numbers."""
    x = inputs["x"]
    squares = np.sum(x * x, axis=-1, keepdims=True)
    few = (squares > 1e38) | ((squares < 1e-30) & (squares > attributes["epsilon"] ** 2 / 4.0))
    return {"y": np.where(few & np.isfinite(squares), np.inf, np.maximum(np.abs(reference(inputs, attributes)["y"]), 2.0**-126))}
