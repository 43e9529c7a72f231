"""Moments in float64: the mean over some axes, and the mean of the squares around it."""

import numpy as np


def reference(inputs, attributes):
    axes = tuple(attributes["axes"]) or None
    keep = attributes["keepdims"]
    with np.errstate(invalid="ignore"):
        centred = inputs["x"] - np.mean(inputs["x"], axis=axes, keepdims=True)
        return {
            "mean": np.mean(inputs["x"], axis=axes, keepdims=keep),
            "variance": np.mean(centred * centred, axis=axes, keepdims=keep),
        }


def scale(inputs, attributes):
    """Sums cancel: errors of the mean are in units of the mean magnitude. What the mean is off by adds its square to
    the variance. Sums that exceed float32 are unspecified."""
    axes = tuple(attributes["axes"]) or None
    keep = attributes["keepdims"]
    x = np.where(np.isfinite(inputs["x"]), inputs["x"], 0.0)
    magnitude = np.mean(np.abs(x), axis=axes, keepdims=True)
    centred = x - np.mean(x, axis=axes, keepdims=True)
    variance = np.mean(centred * centred, axis=axes, keepdims=keep)
    total = np.sum(np.abs(x), axis=axes, keepdims=keep)
    squares = np.sum((np.abs(x) + magnitude) ** 2, axis=axes, keepdims=keep)
    if not keep:
        magnitude = magnitude.reshape(variance.shape)
    spread = variance + magnitude * magnitude * 2.0**-18
    return {
        "mean": np.where(total > 3e38, np.inf, magnitude),
        "variance": np.where((total > 3e38) | (squares > 3e38), np.inf, spread),
    }
