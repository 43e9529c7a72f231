"""CastTruncInt64: y = x without its fraction, in float64; it saturates, and NaN is 0."""

import numpy as np


def reference(inputs, attributes):
    x = np.trunc(np.where(np.isnan(inputs["x"]), 0.0, inputs["x"]))
    # float64 cannot represent the largest int64.
    is_beyond = x >= 2.0**63
    whole = np.maximum(np.where(is_beyond, 0.0, x), -(2.0**63)).astype(np.int64)
    return {"y": np.where(is_beyond, np.iinfo(np.int64).max, whole)}
