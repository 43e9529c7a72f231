"""MatMulIntegerOffset in int64: y = a b - offset, which wraps around at 32 bits."""

import numpy as np


def reference(inputs, attributes):
    # Whole numbers up to 2^53 are exact in float64.
    sums = inputs["a"].astype(np.int64) @ inputs["b"].astype(np.int64)
    return {"y": (sums - inputs["offset"].astype(np.int64)).astype(np.int32).astype(np.float64)}
