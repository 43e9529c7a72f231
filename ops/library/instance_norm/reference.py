"""InstanceNorm in float64: each channel of each sample is normalised over all its other dimensions."""

import numpy as np


def form(inputs):
    """The reduced axes, and a parameter of [C] with a dimension for each of x."""
    rank = inputs["x"].ndim
    return tuple(range(2, rank)), lambda parameter: parameter.reshape(parameter.shape + (1,) * (rank - 2))


def normalised(inputs, attributes, axes, of_channels):
    x = inputs["x"]
    centred = x - np.mean(x, axis=axes, keepdims=True)
    variance = np.mean(centred * centred, axis=axes, keepdims=True)
    deviation = np.sqrt(variance + attributes["epsilon"])
    return {"y": centred / deviation * of_channels(inputs["gamma"]) + of_channels(inputs["beta"])}


def scale_of(inputs, attributes, axes, of_channels):
    """Differences from the mean cancel; sets whose squares exceed float32 are unspecified."""
    x = inputs["x"]
    size = np.abs(x)
    size = size + np.mean(size, axis=axes, keepdims=True)
    centred = x - np.mean(x, axis=axes, keepdims=True)
    variance = np.mean(centred * centred, axis=axes, keepdims=True)
    deviation = np.sqrt(variance + attributes["epsilon"])
    # An error of the mean shifts every difference by its own size and the deviation in proportion to the differences.
    share = 1.0 + np.max(size, axis=axes, keepdims=True, initial=0.0) / deviation
    scale = (size + np.abs(centred) * share) / deviation * np.abs(of_channels(inputs["gamma"]))
    scale = scale + np.abs(of_channels(inputs["beta"]))
    return {"y": np.where(np.sum(size * size, axis=axes, keepdims=True) > 1e38, np.inf, scale)}


def reference(inputs, attributes):
    return normalised(inputs, attributes, *form(inputs))


def scale(inputs, attributes):
    return scale_of(inputs, attributes, *form(inputs))
