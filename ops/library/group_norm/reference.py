"""GroupNorm in float64: each group of channels of a sample is normalised over its channels and all their dimensions."""

import numpy as np


def form(inputs, attributes):
    """x as [N, G, C, ...S], the axes of a group, and how a parameter of [G * C] meets x."""
    x, groups = inputs["x"], attributes["num_groups"]
    parts = x.reshape((x.shape[0], groups, x.shape[1] // groups) + x.shape[2:])
    grouped = (groups, x.shape[1] // groups) + (1,) * (x.ndim - 2)
    return parts, tuple(range(2, parts.ndim)), lambda parameter: parameter.reshape(grouped)


def reference(inputs, attributes):
    x, axes, of_channels = form(inputs, attributes)
    centred = x - np.mean(x, axis=axes, keepdims=True)
    variance = np.mean(centred * centred, axis=axes, keepdims=True)
    deviation = np.sqrt(variance + attributes["epsilon"])
    normal = centred / deviation * of_channels(inputs["gamma"]) + of_channels(inputs["beta"])
    return {"y": normal.reshape(inputs["x"].shape)}


def scale(inputs, attributes):
    """Differences from the mean cancel; sets whose squares exceed float32 are unspecified."""
    x, axes, of_channels = form(inputs, attributes)
    # The chip may flush a difference or a mean below the smallest normal number: 2^-126, which is an ulp of 2^-103.
    size = np.abs(x) + 2.0**-103
    size = size + np.mean(size, axis=axes, keepdims=True)
    centred = x - np.mean(x, axis=axes, keepdims=True)
    variance = np.mean(centred * centred, axis=axes, keepdims=True)
    deviation = np.sqrt(variance + attributes["epsilon"])
    # An error of the mean shifts every difference by its own size and the deviation in proportion to the differences.
    share = 1.0 + np.max(size, axis=axes, keepdims=True, initial=0.0) / deviation
    scale = (size + np.abs(centred) * share) / deviation * np.abs(of_channels(inputs["gamma"]))
    scale = scale + np.abs(of_channels(inputs["beta"]))
    # What cancels may be beyond float32 itself.
    scale = np.where((np.sum(size * size, axis=axes, keepdims=True) > 1e38) | (scale > 3e38), np.inf, scale)
    return {"y": scale.reshape(inputs["x"].shape)}
