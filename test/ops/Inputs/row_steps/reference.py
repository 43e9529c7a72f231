"""RowSteps: rows of 32 elements, the last one shorter; every step in float32."""

import numpy as np

ROW = 32


def reference(inputs, attributes):
    x = inputs["x"]
    flat = x.reshape(-1).astype(np.float32)
    first = np.repeat(flat[::ROW], ROW)[:flat.size]
    with np.errstate(all="ignore"):
        y = (flat - first) * first + first
        y = np.minimum(np.maximum(y, first) / first, first)
    return {"y": y.astype(np.float64).reshape(x.shape)}
