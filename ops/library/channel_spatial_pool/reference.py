"""ChannelSpatialPool in float64: mean and maximum over all places, and over all channels."""

import numpy as np


def axes_of(inputs):
    """For the results of channels and of places: the axes that are reduced."""
    return {"channel": tuple(range(2, inputs["x"].ndim)), "spatial": (1,)}


def reference(inputs, attributes):
    x = inputs["x"]
    results = {}
    for name, axes in axes_of(inputs).items():
        results[f"{name}_mean"] = np.mean(x, axis=axes)
        results[f"{name}_max"] = np.max(x, axis=axes)
    return results


def scale(inputs, attributes):
    """Sums cancel: errors are in units of the mean of magnitudes. Sums that exceed float32 are unspecified."""
    size = np.abs(np.where(np.isfinite(inputs["x"]), inputs["x"], 0.0))
    results = {}
    for name, axes in axes_of(inputs).items():
        results[f"{name}_mean"] = np.where(np.sum(size, axis=axes) > 3e38, np.inf, np.mean(size, axis=axes))
    return results
