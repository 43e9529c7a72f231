"""MeanVarianceNormalization in float64: x less its mean over some axes, divided by its deviation over them."""

import numpy as np

# ONNX adds it to the deviation.
SMALL = 1e-9

# The least normal number of float32. Errors of smaller means and differences are no smaller than its.
LEAST_NORMAL = 2.0**-126


def mean(x, axes):
    """NaN of no elements."""
    count = np.sum(np.ones(x.shape), axis=axes, keepdims=True)
    return np.sum(x, axis=axes, keepdims=True) / count


def moments(x, attributes):
    axes = tuple(attributes["axes"]) or None
    with np.errstate(invalid="ignore"):
        centred = x - mean(x, axes)
        return centred, np.sqrt(mean(centred * centred, axes)) + SMALL, axes


def reference(inputs, attributes):
    with np.errstate(invalid="ignore"):
        centred, deviation, _ = moments(inputs["x"], attributes)
        return {"y": centred / deviation}


def scale(inputs, attributes):
    """Differences from the mean cancel; sets whose squares exceed float32 are unspecified."""
    x = np.where(np.isfinite(inputs["x"]), inputs["x"], 0.0)
    centred, deviation, axes = moments(x, attributes)
    with np.errstate(invalid="ignore"):
        size = np.maximum(np.abs(x) + mean(np.abs(x), axes), LEAST_NORMAL)
    # An error of the mean shifts every difference by its own size and the deviation in proportion to the differences.
    share = 1.0 + np.max(size, axis=axes, keepdims=True, initial=0.0) / deviation
    scale = (size + np.abs(centred) * share) / deviation
    return {"y": np.where(np.sum(size * size, axis=axes, keepdims=True) > 1e38, np.inf, scale)}
